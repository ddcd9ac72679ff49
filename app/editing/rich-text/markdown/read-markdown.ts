import type { Mark, Node, Schema } from '@tiptap/pm/model';
import type { BlockContent, Blockquote, Definition, List, Nodes, Paragraph, PhrasingContent, Root, Table } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { videoAt } from '../../../ui/lib/video-address.ts';
import { CALLOUTS } from './callouts.ts';

/** A top-level block with its Markdown. */
export interface SourceBlock {
  node: Node;
  from: number;
  to: number;
}

/** Parses Markdown. Blocks that the schema cannot hold become `rawBlock` nodes with their source. */
export function readMarkdown(schema: Schema, text: string): SourceBlock[] {
  const tree = parse(text);
  const read = reader(schema, text, definitionsOf(tree));
  let end = 0;
  return tree.children.map((child) => {
    // Whole lines, because the indentation of a code block is part of it. A heading that follows a definition is parsed
    // with the position of the definition.
    const from = Math.max(end, text.lastIndexOf('\n', (child.position?.start.offset ?? 0) - 1) + 1);
    const to = child.position?.end.offset ?? text.length;
    end = to;
    return { node: read(child) ?? schema.node('rawBlock', { value: text.slice(from, to) }), from, to };
  });
}

export function parse(text: string): Root {
  return fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
}

type Definitions = Map<string, Definition>;

function definitionsOf(node: Nodes, found: Definitions = new Map()): Definitions {
  if (node.type === 'definition' && !found.has(node.identifier)) found.set(node.identifier, node);
  if ('children' in node) for (const child of node.children) definitionsOf(child, found);
  return found;
}

/** Thrown for syntax that the editor cannot show. */
class Unsupported extends Error {}

function reader(schema: Schema, text: string, definitions: Definitions) {
  const node = (type: string, attrs: object | null, children: Node[] = []) => schema.node(type, { ...attrs }, children);
  const filled = (children: Node[]) => (children.length > 0 ? children : [node('paragraph', null)]);

  function block(from: Nodes): Node {
    switch (from.type) {
      case 'paragraph':
        return paragraph(from);
      case 'heading':
        return node('heading', { level: from.depth }, inline(from.children));
      case 'blockquote':
        return quote(from);
      case 'list':
        return list(from);
      case 'code':
        return node(
          'codeBlock',
          { language: from.lang ?? null, meta: from.meta ?? null },
          from.value ? [schema.text(from.value)] : [],
        );
      case 'thematicBreak':
        return node('horizontalRule', null);
      case 'table':
        return table(from);
      case 'html':
        return node('rawBlock', { value: from.value });
      case 'footnoteDefinition':
        return node('footnote', { label: from.label ?? from.identifier }, filled(blocks(from.children)));
      default:
        throw new Unsupported(from.type);
    }
  }

  function blocks(children: readonly Nodes[]): Node[] {
    return children.map(block);
  }

  function paragraph(from: Paragraph): Node {
    const lines = text.slice(from.position?.start.offset, from.position?.end.offset).split('\n');
    // The public page shows a video URL on its own line as a video, also within a paragraph.
    if (lines.length > 1 && lines.some((line) => videoAt(line.trim()))) throw new Unsupported('video');
    return node('paragraph', null, inline(from.children));
  }

  function quote(from: Blockquote): Node {
    const [first, ...others] = from.children;
    const [opening, ...words] = first?.type === 'paragraph' ? first.children : [];
    const [mark, name] = (opening?.type === 'text' && /^\[!(\w+)\][ \t]*(?:\n|$)/.exec(opening.value)) || [];
    const kind = CALLOUTS.find((callout) => callout === name?.toLowerCase());
    if (!kind || mark === undefined || opening?.type !== 'text' || first?.type !== 'paragraph')
      return node('blockquote', null, filled(blocks(from.children)));
    const rest = opening.value.slice(mark.length);
    const children: PhrasingContent[] = [...(rest ? [{ ...opening, value: rest }] : []), ...words];
    if (!rest && words[0]?.type === 'break') children.shift();
    const content: BlockContent[] = children.length > 0 ? [{ ...first, children }] : [];
    return node('callout', { kind }, filled(blocks([...content, ...others])));
  }

  function list(from: List): Node {
    const tasks = from.children.filter(({ checked }) => typeof checked === 'boolean').length;
    if (tasks > 0 && (from.ordered || tasks < from.children.length)) throw new Unsupported('mixed list');
    const items = from.children.map(({ checked, spread, children }) =>
      node(tasks > 0 ? 'taskItem' : 'listItem', { spread, ...(tasks > 0 && { checked }) }, filled(blocks(children))),
    );
    const type = tasks > 0 ? 'taskList' : from.ordered ? 'orderedList' : 'bulletList';
    return node(type, { spread: from.spread, ...(from.ordered && { start: from.start ?? 1 }) }, items);
  }

  function table({ children, align }: Table): Node {
    const [head] = children;
    const width = head?.children.length ?? 0;
    const isHeadless = children.length > 1 && head?.children.every((cell) => cell.children.length === 0);
    const rows = children.slice(isHeadless ? 1 : 0).map((row, index) => {
      const type = index === 0 && !isHeadless ? 'tableHeader' : 'tableCell';
      const cells = Array.from({ length: width }, (_, column) =>
        node(type, { align: align?.[column] ?? null }, [
          node('paragraph', null, inline(row.children[column]?.children ?? [])),
        ]),
      );
      return node('tableRow', null, cells);
    });
    return node('table', null, rows);
  }

  function inline(children: readonly PhrasingContent[], marks: readonly Mark[] = []): Node[] {
    return children.flatMap((child): Node[] => {
      const within = (mark: string, attrs: object = {}, content = 'children' in child ? child.children : []) => {
        if (content.length === 0) throw new Unsupported(child.type);
        return inline(content, schema.mark(mark, { ...attrs }).addToSet(marks));
      };
      const leaf = (type: string, attrs: object | null = null) => [node(type, attrs).mark(marks)];
      switch (child.type) {
        case 'text': {
          const words = child.value.replace(/[ \t]*\n[ \t]*/g, ' ');
          return words ? [schema.text(words, marks)] : [];
        }
        case 'inlineCode':
          return [schema.text(child.value, schema.mark('code').addToSet(marks))];
        case 'strong':
          return within('bold');
        case 'emphasis':
          return within('italic');
        case 'delete':
          return within('strike');
        case 'link':
          return within('link', { href: child.url, title: child.title ?? null });
        case 'linkReference': {
          const { url, title } = definition(child.identifier);
          return within('link', { href: url, title: title ?? null });
        }
        case 'image':
          return leaf('image', { src: child.url, alt: child.alt ?? '', title: child.title ?? null });
        case 'imageReference': {
          const { url, title } = definition(child.identifier);
          return leaf('image', { src: url, alt: child.alt ?? '', title: title ?? null });
        }
        case 'break':
          return leaf('hardBreak');
        case 'html':
          return leaf('rawInline', { value: child.value });
        case 'footnoteReference':
          return leaf('footnoteReference', { label: child.label ?? child.identifier });
        default:
          throw new Unsupported(child);
      }
    });
  }

  function definition(identifier: string): Definition {
    const found = definitions.get(identifier);
    if (!found) throw new Unsupported('reference');
    return found;
  }

  /** Null for a block that the editor cannot show. RangeError is thrown for content that the schema does not allow. */
  return (from: Nodes): Node | null => {
    try {
      return block(from);
    } catch (error) {
      if (error instanceof Unsupported || error instanceof RangeError) return null;
      throw error;
    }
  };
}
