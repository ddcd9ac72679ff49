/** Converts block elements: headings, paragraphs, lists, tables, quotes and code. */
import type { Element, RootContent } from 'hast';
import { attribute, type CleanNode, element, findElement, hasClass, isElement, styleOf, textOf } from './element.ts';
import { hasContent, inlineLine, inlineParagraphs, innerStyle, isDropped, PLAIN, type Style, text } from './inline.ts';
import { gatherLists, listEntries } from './lists.ts';
import type { Paste } from './paste.ts';

const BLOCKS = new Set(
  (
    'address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer footnote form h1 h2 h3 h4 ' +
    'h5 h6 header hgroup hr html iframe li main menu nav ol p pre section summary table ul video'
  ).split(' '),
);

/**
 * Returns true for blocks and elements that contain a block. Google Docs wraps paragraphs in <b>, web pages in links.
 */
function isBlock(node: RootContent): node is Element {
  return isElement(node) && !isDropped(node) && findElement(node, ({ tagName }) => BLOCKS.has(tagName)) !== undefined;
}

export function cleanBlocks(nodes: readonly RootContent[], style: Style, paste: Paste): CleanNode[] {
  const clean: CleanNode[] = [];
  let line: RootContent[] = [];
  const flush = () => {
    clean.push(...inlineParagraphs(line, style, paste).map((children) => element('p', children)));
    line = [];
  };
  for (const node of gatherLists(nodes)) {
    if (!isBlock(node)) {
      line.push(node);
      continue;
    }
    flush();
    clean.push(...cleanBlock(node, style, paste));
  }
  flush();
  return joinCode(clean);
}

function cleanBlock(node: Element, outer: Style, paste: Paste): CleanNode[] {
  const style = paste.ignoresStyle(node) ? outer : innerStyle(node, outer, paste);
  const level = headingLevel(node, paste);
  if (level) return heading(node, level, paste);
  switch (node.tagName) {
    case 'ul':
    case 'ol':
    case 'menu':
      return [cleanList(node, style, paste)];
    case 'pre':
      return [codeBlock(codeText(node), languageOf(node))];
    case 'blockquote':
      return wrapped('blockquote', cleanBlocks(node.children, style, paste));
    case 'aside':
      return paste.source === 'notion'
        ? callout('note', cleanBlocks(node.children, style, paste))
        : wrapped('blockquote', cleanBlocks(node.children, style, paste));
    case 'footnote':
      return [element('footnote', cleanBlocks(node.children, style, paste), node.properties)];
    case 'table':
      return cleanTable(node, paste);
    case 'hr':
      return [element('hr')];
    case 'iframe':
    case 'video':
      return video(node);
    default:
      return paragraphs(node, style, paste);
  }
}

function paragraphs(node: Element, style: Style, paste: Paste): CleanNode[] {
  if (isCodeParagraph(node, paste)) return [codeBlock(codeText(node), '')];
  // GitHub
  const code = hasClass(node, /^highlight-source-/) && findElement(node, ({ tagName }) => tagName === 'pre');
  if (code) return [codeBlock(codeText(code), languageOf(node))];
  const kind = /\bmarkdown-alert-(note|tip|important|warning|caution)\b/.exec(attribute(node, 'className'))?.[1];
  if (kind) {
    const content = node.children.filter((child) => !isElement(child) || !hasClass(child, /^markdown-alert-title$/));
    return callout(kind, cleanBlocks(content, style, paste));
  }
  // Word's quote style is italic.
  if (hasClass(node, /^Mso(Intense)?Quote/)) {
    return wrapped('blockquote', cleanBlocks(node.children, { ...style, ignored: 'italic' }, paste));
  }
  return cleanBlocks(node.children, isElement(node, 'dt', 'summary') ? { ...style, bold: true } : style, paste);
}

function headingLevel(node: Element, paste: Paste): number {
  const level = /^h([1-6])$/.exec(node.tagName)?.[1];
  if (level) return Number(level);
  if (hasClass(node, /^MsoTitle/)) return 1;
  const cocoaLevel = node.tagName === 'p' && paste.headings.get(attribute(node, 'className'));
  if (cocoaLevel) return cocoaLevel;
  const role = attribute(node, 'role') === 'heading' && Number(attribute(node, 'ariaLevel'));
  if (role) return Math.min(role, 6);
  if (paste.source !== 'docs' || node.tagName !== 'p') return 0;
  // Google Docs exports the title as a large paragraph.
  const largeText = findElement(node, (child) => Number.parseFloat(styleOf(child, 'font-size')) >= 24);
  return largeText && textOf(largeText).trim() === textOf(node).trim() ? 1 : 0;
}

/** Converts a heading and removes bold, which it implies. */
function heading(node: Element, level: number, paste: Paste): CleanNode[] {
  const children = inlineLine(node.children, { ...PLAIN, ignored: 'bold' }, paste);
  return children.length > 0 ? [element(`h${level}`, children)] : [];
}

function wrapped(tagName: string, children: CleanNode[]): CleanNode[] {
  return children.length > 0 ? [element(tagName, children)] : [];
}

function callout(kind: string, children: CleanNode[]): CleanNode[] {
  return [element('blockquote', [element('p', [text(`[!${kind}]`)]), ...children])];
}

function cleanList(node: Element, style: Style, paste: Paste): CleanNode {
  const isOrdered = node.tagName === 'ol';
  const items = listEntries(node).flatMap((entry) => {
    const [checkbox, item] = takeCheckbox(entry);
    const children = cleanBlocks(item.children, checkbox ? { ...style, ignored: 'struck' } : style, paste);
    if (children.length === 0) return [];
    if (checkbox !== null) {
      const box = element('input', [], { type: 'checkbox', checked: checkbox });
      (isElement(children[0], 'p') ? children[0].children : children).unshift(box);
    }
    return [element('li', children)];
  });
  const start = Number(attribute(node, 'start'));
  return element(isOrdered ? 'ol' : 'ul', items, isOrdered && start > 1 ? { start } : {});
}

/** Returns the state of a task (null if it is not a task), and the item without its checkbox. */
function takeCheckbox(entry: Element): [isDone: boolean | null, item: Element] {
  if (attribute(entry, 'role') === 'checkbox') return [attribute(entry, 'ariaChecked') === 'true', entry];
  const box = findElement(
    { ...entry, children: entry.children.filter((child) => !isElement(child, 'ul', 'ol')) },
    (child) => isElement(child, 'input') && attribute(child, 'type') === 'checkbox',
  );
  if (box) return ['checked' in box.properties && box.properties['checked'] !== false, entry];
  const typedCheckbox = /^\s*\[([ xX])\]\s+/.exec(textOf(entry));
  if (!typedCheckbox) return [null, entry];
  return [typedCheckbox[1] !== ' ', withoutStart(entry, typedCheckbox[0].length)];
}

/** Returns the element without its first `length` characters. */
function withoutStart(node: Element, length: number): Element {
  let remaining = length;
  const children = node.children.map((child): CleanNode => {
    if (remaining <= 0) return child;
    if (child.type === 'text') {
      const value = child.value.slice(remaining);
      remaining -= child.value.length;
      return { ...child, value };
    }
    if (!isElement(child)) return child;
    const shorter = withoutStart(child, remaining);
    remaining -= textOf(child).length;
    return shorter;
  });
  return { ...node, children };
}

function cleanTable(node: Element, paste: Paste): CleanNode[] {
  const rows = rowsOf(node);
  const cells = rows.flat();
  // A table with one cell is a box. A table with headings or nested tables is used for layout.
  const isLayout =
    cells.length <= 1 ||
    attribute(node, 'role') === 'presentation' ||
    cells.some((cell) => findElement(cell, (child) => child !== cell && /^(table|h[1-6]|pre)$/.test(child.tagName)));
  if (isLayout) return cells.flatMap((cell) => cleanBlocks(cell.children, PLAIN, paste));
  const caption = node.children.find((child) => isElement(child, 'caption'));
  const table = rows.map((row, index) => {
    const rowCells = row.map((cell) => {
      const { colSpan, rowSpan, align } = cell.properties;
      // Google Sheets applies formatting to whole cells.
      const style = innerStyle(cell, PLAIN, paste);
      const content = inlineLine(cellLine(cell), index === 0 ? { ...style, ignored: 'bold' } : style, paste);
      return element(index === 0 ? 'th' : 'td', content, {
        colSpan,
        rowSpan,
        align: align ?? (styleOf(cell, 'text-align') || undefined),
      });
    });
    return element('tr', rowCells);
  });
  return [...(caption ? cleanBlocks([caption], PLAIN, paste) : []), element('table', table)];
}

function rowsOf(node: Element): Element[][] {
  return node.children.flatMap((child) => {
    if (isElement(child, 'tr')) return [child.children.filter((cell) => isElement(cell, 'td', 'th'))];
    return isElement(child, 'thead', 'tbody', 'tfoot') ? rowsOf(child) : [];
  });
}

/** Joins the blocks of a cell into one line, which Markdown requires. */
function cellLine(cell: Element): CleanNode[] {
  return cell.children.flatMap((child): CleanNode[] => {
    if (!isElement(child) || !BLOCKS.has(child.tagName)) return [child];
    const separator = isElement(child, 'li') ? ', ' : ' ';
    const isFirst = cell.children.find(hasContent) === child;
    const inner = cellLine(child);
    // Marks on the block, such as bold, are applied to its text.
    return [...(isFirst ? [] : [text(separator)]), element('span', inner, { style: attribute(child, 'style') })];
  });
}

function video(node: Element): CleanNode[] {
  const src =
    attribute(node, 'src') ||
    node.children.flatMap((child) => (isElement(child, 'source') ? attribute(child, 'src') : []))[0] ||
    '';
  const youtube = /^(?:https?:)?\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/([\w-]+)/.exec(src)?.[1];
  const vimeo = /^(?:https?:)?\/\/player\.vimeo\.com\/video\/(\d+)/.exec(src)?.[1];
  const url =
    (youtube && `https://www.youtube.com/watch?v=${youtube}`) ||
    (vimeo && `https://vimeo.com/${vimeo}`) ||
    (isElement(node, 'video') && /^https?:/.test(src) && src);
  return url ? [element('p', [element('a', [text(url)], { href: url })])] : [];
}

/** Returns true for a word processor's paragraph in a monospaced font. */
function isCodeParagraph(node: Element, paste: Paste): boolean {
  if (!['docs', 'word'].includes(paste.source) || !['p', 'div'].includes(node.tagName) || textOf(node).trim() === '')
    return false;
  const isCode = (child: RootContent): boolean =>
    (child.type === 'text' && child.value.trim() === '') ||
    child.type === 'comment' ||
    isElement(child, 'br') ||
    (isElement(child) &&
      (paste.isMonospaced(child) || (child.children.length > 0 && child.children.every(isCode)) || !hasContent(child)));
  return paste.isMonospaced(node) || node.children.every(isCode);
}

function codeText(node: Element): string {
  return textOf(node)
    .replaceAll('\u00a0', ' ')
    .replace(/[\u200b\ufeff]/g, '')
    .replace(/^\n|\s+$/g, '');
}

function languageOf(node: Element): string {
  const languageElement = findElement(node, (child) => hasClass(child, /^(lang|language|highlight-source)-/));
  const name =
    languageElement &&
    /(?:lang|language|highlight-source)-([\w+#-]+)/.exec(attribute(languageElement, 'className'))?.[1];
  return name ?? '';
}

function codeBlock(code: string, language: string): CleanNode {
  const properties = language ? { className: [`language-${language}`] } : {};
  return element('pre', [element('code', [text(code)], properties)]);
}

/** Joins consecutive code blocks, because word processors export each line as a paragraph. */
function joinCode(nodes: readonly CleanNode[]): CleanNode[] {
  const result: CleanNode[] = [];
  for (const node of nodes) {
    const previous = result.at(-1);
    if (isElement(node, 'pre') && isElement(previous, 'pre') && !languageOf(node) && !languageOf(previous)) {
      result[result.length - 1] = codeBlock(`${textOf(previous)}\n${textOf(node)}`, '');
    } else result.push(node);
  }
  return result;
}
