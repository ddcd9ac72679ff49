import type { Mark, Node, Schema } from '@tiptap/pm/model';
import type {
  BlockContent,
  Blockquote,
  Definition,
  List,
  Nodes,
  Paragraph,
  PhrasingContent,
  Reference,
  Resource,
  Root,
  RootContent,
  Table,
} from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { parseVideoUrl } from '../../../ui/lib/video-url.ts';
import { CALLOUTS } from './callouts.ts';
import { writeMarkdown } from './markdown-style.ts';

/** A top-level block with its Markdown. */
export interface SourceBlock {
  node: Node;
  from: number;
  to: number;
}

/** Parses Markdown section by section, with the same result as readMarkdown(). */
export function* readSections(schema: Schema, text: string): Generator<SourceBlock[]> {
  const definitions = text.length < 2 * SECTION_LENGTH ? null : definitionsOfLongText(text);
  let start = 0;
  let length = SECTION_LENGTH;
  let isCode = false;
  const fromStart = ({ node, from, to }: SourceBlock) => ({ node, from: from + start, to: to + start });
  for (const { index, 0: line } of definitions === null ? [] : text.matchAll(SECTION_START)) {
    const isFence = /^ *[`~]/.test(line);
    if (isFence) isCode = !isCode;
    if (isFence || isCode || index - start < length) continue;
    const blocks = readMarkdown(schema, text.slice(start, index + line.length), definitions ?? '').map(fromStart);
    const count = blocks.findIndex(({ from }) => from === index);
    // The line is part of a longer block, such as HTML. Longer steps limit the total time.
    if (count === -1) length *= 1.5;
    else {
      yield blocks.slice(0, count);
      start = index;
      length = SECTION_LENGTH;
    }
  }
  yield readMarkdown(schema, text.slice(start), definitions ?? '').map(fromStart);
}

/**
 * Minimum length of a section, in characters. Long texts are parsed in sections, because the time of the parser grows
 * faster than the length of the text.
 */
const SECTION_LENGTH = 10_000;

/** Line that may start a section: a heading or paragraph after a blank line. Also matches code fences. */
const SECTION_START = /^ *(?:```|~~~).*|(?<=\n\r?\n)[#\p{L}].*/gmu;

/** Start of a link or footnote definition, at any depth. */
const DEFINITION = /^[ \t>\d.)*+-]*\[(?:\\.|[^\\\]])+\]:/m;

/**
 * Returns the definitions that every section of a text needs, or null if they cannot be found without parsing the whole
 * text.
 */
function definitionsOfLongText(text: string): string | null {
  const paragraphs = text.split(/\n\s*\n/).filter((paragraph) => DEFINITION.test(paragraph));
  // Code and HTML may contain a line like a definition.
  const isCertain = paragraphs.length === 0 || !/^ {0,3}(?:```|~~~|<)/m.test(text);
  const definitions = paragraphs.flatMap((paragraph) => parse(paragraph).children);
  const names = new Set(definitions.map((node) => 'identifier' in node && node.type + node.identifier));
  const areAllFound = !names.has(false) && names.size === definitions.length;
  return isCertain && areAllFound && paragraphs.every((paragraph) => paragraph.startsWith('['))
    ? paragraphs.join('\n\n')
    : null;
}

/**
 * Parses Markdown. Blocks that the schema cannot hold become `rawBlock` nodes with their source.
 * @param definitions link and footnote definitions from the rest of the text
 */
export function readMarkdown(schema: Schema, text: string, definitions = ''): SourceBlock[] {
  const tree = parse(definitions ? `${text}\n\n${definitions}` : text);
  const reader = new Reader(schema, text, definitionsOf(tree));
  let end = 0;
  return tree.children.flatMap((child) => {
    const start = child.position?.start.offset ?? 0;
    if (start > text.length) return [];
    // Use whole lines, because the indentation of a code block is part of its source. A heading that follows a
    // definition is parsed with the position of the definition.
    const from = Math.max(end, text.lastIndexOf('\n', start - 1) + 1);
    const to = child.position?.end.offset ?? text.length;
    end = to;
    return [{ node: reader.read(child) ?? schema.node('rawBlock', { value: text.slice(from, to) }), from, to }];
  });
}

/** Converts blocks of a syntax tree that was not parsed from Markdown. */
export function readTree(schema: Schema, children: readonly RootContent[]): Node[] {
  const reader = new Reader(schema, '', new Map());
  return children.map((child) => reader.read(child) ?? schema.node('rawBlock', { value: writeMarkdown([child]) }));
}

export function parse(text: string): Root {
  return fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
}

type Definitions = Map<string, Definition>;

function definitionsOf(node: Nodes, definitions: Definitions = new Map()): Definitions {
  if (node.type === 'definition' && !definitions.has(node.identifier)) definitions.set(node.identifier, node);
  if ('children' in node) for (const child of node.children) definitionsOf(child, definitions);
  return definitions;
}

/** Thrown for syntax that the editor cannot show. */
class Unsupported extends Error {}

/** Converts the blocks of one text. */
class Reader {
  readonly #schema: Schema;
  readonly #text: string;
  readonly #definitions: Definitions;

  constructor(schema: Schema, text: string, definitions: Definitions) {
    this.#schema = schema;
    this.#text = text;
    this.#definitions = definitions;
  }

  /** Returns null for a block that the editor cannot show, or with content that the schema does not allow. */
  read(from: Nodes): Node | null {
    try {
      return this.#block(from);
    } catch (error) {
      if (error instanceof Unsupported || error instanceof RangeError) return null;
      throw error;
    }
  }

  #node(type: string, attrs: object | null, children: Node[] = []): Node {
    return this.#schema.node(type, { ...attrs }, children);
  }

  #filled(children: Node[]): Node[] {
    return children.length > 0 ? children : [this.#node('paragraph', null)];
  }

  #block(from: Nodes): Node {
    switch (from.type) {
      case 'paragraph':
        return this.#paragraph(from);
      case 'heading':
        return this.#node('heading', { level: from.depth }, this.#inline(from.children));
      case 'blockquote':
        return this.#quote(from);
      case 'list':
        return this.#list(from);
      case 'code':
        return this.#node(
          'codeBlock',
          { language: from.lang ?? null, meta: from.meta ?? null },
          from.value ? [this.#schema.text(from.value)] : [],
        );
      case 'thematicBreak':
        return this.#node('horizontalRule', null);
      case 'table':
        return this.#table(from);
      case 'html':
        return this.#node('rawBlock', { value: from.value });
      case 'footnoteDefinition':
        return this.#node(
          'footnote',
          { label: from.label ?? from.identifier },
          this.#filled(this.#blocks(from.children)),
        );
      default:
        throw new Unsupported(from.type);
    }
  }

  #blocks(children: readonly Nodes[]): Node[] {
    return children.map((child) => this.#block(child));
  }

  #paragraph(from: Paragraph): Node {
    const lines = this.#text.slice(from.position?.start.offset, from.position?.end.offset).split('\n');
    // The public page shows a video URL on its own line as a video, also within a paragraph.
    if (lines.length > 1 && lines.some((line) => parseVideoUrl(line.trim()))) throw new Unsupported('video');
    return this.#node('paragraph', null, this.#inline(from.children));
  }

  #quote(from: Blockquote): Node {
    const [firstChild, ...otherChildren] = from.children;
    const [opening, ...inlines] = firstChild?.type === 'paragraph' ? firstChild.children : [];
    const [mark, name] = (opening?.type === 'text' && /^\[!(\w+)\][ \t]*(?:\n|$)/.exec(opening.value)) || [];
    const kind = CALLOUTS.find((callout) => callout === name?.toLowerCase());
    if (!kind || mark === undefined || opening?.type !== 'text' || firstChild?.type !== 'paragraph')
      return this.#node('blockquote', null, this.#filled(this.#blocks(from.children)));
    const remainingText = opening.value.slice(mark.length);
    const children: PhrasingContent[] = [...(remainingText ? [{ ...opening, value: remainingText }] : []), ...inlines];
    if (!remainingText && inlines[0]?.type === 'break') children.shift();
    const content: BlockContent[] = children.length > 0 ? [{ ...firstChild, children }] : [];
    return this.#node('callout', { kind }, this.#filled(this.#blocks([...content, ...otherChildren])));
  }

  #list(from: List): Node {
    const tasks = from.children.filter(({ checked }) => typeof checked === 'boolean').length;
    if (tasks > 0 && (from.ordered || tasks < from.children.length)) throw new Unsupported('mixed list');
    const items = from.children.map(({ checked, spread, children }) =>
      this.#node(
        tasks > 0 ? 'taskItem' : 'listItem',
        { spread, ...(tasks > 0 && { checked }) },
        this.#filled(this.#blocks(children)),
      ),
    );
    const type = tasks > 0 ? 'taskList' : from.ordered ? 'orderedList' : 'bulletList';
    return this.#node(type, { spread: from.spread, ...(from.ordered && { start: from.start ?? 1 }) }, items);
  }

  #table({ children, align }: Table): Node {
    const [head] = children;
    const width = head?.children.length ?? 0;
    const isHeadless = children.length > 1 && head?.children.every((cell) => cell.children.length === 0);
    const rows = children.slice(isHeadless ? 1 : 0).map((row, index) => {
      const type = index === 0 && !isHeadless ? 'tableHeader' : 'tableCell';
      const cells = Array.from({ length: width }, (_, column) =>
        this.#node(type, { align: align?.[column] ?? null }, [
          this.#node('paragraph', null, this.#inline(row.children[column]?.children ?? [])),
        ]),
      );
      return this.#node('tableRow', null, cells);
    });
    return this.#node('table', null, rows);
  }

  #inline(children: readonly PhrasingContent[], marks: readonly Mark[] = []): Node[] {
    return children.flatMap((child): Node[] => {
      const within = (mark: string, attrs: object = {}, content = 'children' in child ? child.children : []) => {
        if (content.length === 0) throw new Unsupported(child.type);
        return this.#inline(content, this.#schema.mark(mark, { ...attrs }).addToSet(marks));
      };
      const inlineNode = (type: string, attrs: object | null = null) => [this.#node(type, attrs).mark(marks)];
      switch (child.type) {
        case 'text': {
          const value = child.value.replace(/[ \t]*\n[ \t]*/g, ' ');
          return value ? [this.#schema.text(value, marks)] : [];
        }
        case 'inlineCode':
          return [this.#schema.text(child.value, this.#schema.mark('code').addToSet(marks))];
        case 'strong':
          return within('bold');
        case 'emphasis':
          return within('italic');
        case 'delete':
          return within('strike');
        case 'link':
        case 'linkReference': {
          const { url, title } = this.#target(child);
          return within('link', { href: url, title: title ?? null });
        }
        case 'image':
        case 'imageReference': {
          const { url, title } = this.#target(child);
          return inlineNode('image', { src: url, alt: child.alt ?? '', title: title ?? null });
        }
        case 'break':
          return inlineNode('hardBreak');
        case 'html':
          return inlineNode('rawInline', { value: child.value });
        case 'footnoteReference':
          return inlineNode('footnoteReference', { label: child.label ?? child.identifier });
        default:
          throw new Unsupported(child);
      }
    });
  }

  #target(from: Resource | Reference): Resource {
    const target = 'url' in from ? from : this.#definitions.get(from.identifier);
    if (!target) throw new Unsupported('reference');
    return target;
  }
}
