/** Plain text with merge fields, one paragraph per line. Unedited text is written back byte for byte. */
import { mergeAttributes, Node, nodeInputRule } from '@tiptap/core';
import type { Node as DocumentNode, Schema } from '@tiptap/pm/model';
import { MERGE_FIELD } from '../../ui/lib/merge-fields.ts';
import type { MarkdownDocument } from '../rich-text/markdown/markdown-document.ts';
import './merge-field.css';

export const MergeField = Node.create({
  name: 'mergeField',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => ({ value: { default: '', rendered: false } }),
  parseHTML: () => [{ tag: 'span[data-field]', getAttrs: ({ textContent }) => ({ value: textContent }) }],
  renderHTML: ({ node, HTMLAttributes }) => [
    'span',
    mergeAttributes(HTMLAttributes, { class: 'rich-field', 'data-field': '' }),
    String(node.attrs['value']),
  ],
  renderText: ({ node }) => String(node.attrs['value']),
  addInputRules() {
    // A single brace is not converted while the user types, because a second brace may follow.
    const find = /\{\{[^{}]+\}\}$|\[\[[^[\]]+\]\]$/;
    return [nodeInputRule({ find, type: this.type, getAttributes: ([value]) => ({ value }) })];
  },
  addKeyboardShortcuts() {
    return { 'Shift-Enter': () => this.editor.commands.splitBlock() };
  },
});

export function readLines(schema: Schema, text: string): DocumentNode[] {
  return text.split('\n').map((line) => {
    const nodes: DocumentNode[] = [];
    let end = 0;
    const addText = (part: string) => part && nodes.push(schema.text(part));
    for (const { index, 0: value } of line.matchAll(MERGE_FIELD)) {
      addText(line.slice(end, index));
      nodes.push(schema.node('mergeField', { value }));
      end = index + value.length;
    }
    addText(line.slice(end));
    return schema.node('paragraph', null, nodes);
  });
}

export function openMergeText(schema: Schema, text: string): MarkdownDocument {
  const write = (doc: DocumentNode) =>
    doc.children
      .map((line) => line.children.map(({ text: content, attrs }) => content ?? attrs['value']).join(''))
      .join('\n');
  return { doc: schema.node('doc', null, readLines(schema, text)), write };
}
