/** Document schema of the editor. Names and commands are the same as in Tiptap if Tiptap has them. */
import { type Editor, Extension, type Extensions, InputRule, Mark, Node } from '@tiptap/core';
import { Code } from '@tiptap/extension-code';
import { ListItem, TaskItem, TaskList } from '@tiptap/extension-list';
import { Table, TableCell, TableHeader, TableRow } from '@tiptap/extension-table';
import { Plugin, TextSelection } from '@tiptap/pm/state';
import { nextCell, selectionCell } from '@tiptap/pm/tables';
import { StarterKit } from '@tiptap/starter-kit';
import { search } from 'prosemirror-search';
import { safeHref } from '../../ui/lib/safe-href.ts';

const Document = Node.create({ name: 'doc', topNode: true, content: '(block | footnote)+' });

const Link = Mark.create({
  name: 'link',
  inclusive: false,
  addAttributes: () => ({ href: { default: '' }, title: { default: null } }),
  parseHTML: () => [{ tag: 'a[href]' }],
  renderHTML: ({ HTMLAttributes: { href, title } }) => ['a', { href: safeHref(href), title, rel: 'noopener' }, 0],
  addInputRules() {
    return [
      new InputRule({
        find: /(?<!!)\[([^[\]]+)\]\(([^\s()]+)\)$/,
        handler: ({ state: { tr, schema }, range: { from, to }, match: [, text = '', href] }) =>
          void tr.replaceWith(from, to, schema.text(text, [this.type.create({ href })])).removeStoredMark(this.type),
      }),
    ];
  },
});

/** Task item that can also be typed in an item of another list, which becomes a task list. */
const TypedTaskItem = TaskItem.extend({
  content: 'block+',
  addInputRules() {
    return [
      new InputRule({
        find: /^\[([ xX]?)\]\s$/,
        handler: ({ chain, range, match: [, checkMark] }) =>
          void chain()
            .deleteRange(range)
            .clearNodes()
            .toggleTaskList()
            .updateAttributes('taskItem', { checked: /x/i.test(checkMark ?? '') })
            .run(),
      }),
    ];
  },
});

/** Table with one line per cell. The wrapper scrolls on narrow screens. */
const FlatTable = Table.extend({
  addNodeView: () => null,
  renderHTML: () => ['div', { class: 'rich-table' }, ['table', ['tbody', 0]]],
  addKeyboardShortcuts() {
    return {
      ...this.parent?.(),
      // Tab leaves the last cell. Otherwise it would add rows forever, which traps the keyboard.
      Tab: () => this.editor.commands.goToNextCell(),
      Enter: () => {
        const { editor } = this;
        if (!editor.isActive('table')) return false;
        return moveToCellBelow(editor) || (editor.commands.addRowAfter() && moveToCellBelow(editor));
      },
    };
  },
});

function moveToCellBelow({ state, view }: Editor): boolean {
  const below = nextCell(selectionCell(state), 'vert', 1);
  if (below)
    view.dispatch(state.tr.setSelection(TextSelection.near(state.doc.resolve(below.pos + 1))).scrollIntoView());
  return Boolean(below);
}

const Callout = Node.create({
  name: 'callout',
  group: 'block',
  content: 'block+',
  defining: true,
  addAttributes: () => ({ kind: dataAttribute('kind', 'note') }),
  parseHTML: () => [{ tag: 'div[data-kind]' }],
  renderHTML: ({ HTMLAttributes }) => ['div', { class: 'rich-callout', ...HTMLAttributes }, 0],
});

const Footnote = Node.create({
  name: 'footnote',
  content: 'block+',
  defining: true,
  addAttributes: () => ({ label: dataAttribute('label', '1') }),
  parseHTML: () => [{ tag: 'div[data-label]' }],
  renderHTML: ({ HTMLAttributes }) => ['div', { class: 'rich-footnote', ...HTMLAttributes }, 0],
});

const FootnoteReference = Node.create({
  name: 'footnoteReference',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => ({ label: dataAttribute('label', '1') }),
  parseHTML: () => [{ tag: 'sup[data-label]' }],
  renderHTML: ({ node, HTMLAttributes }) => ['sup', HTMLAttributes, String(node.attrs['label'])],
});

interface ImageOptions {
  /** False for a URL that the page's content security policy blocks. */
  isAllowed: (url: string) => boolean;
}

const Image = Node.create<ImageOptions>({
  name: 'image',
  group: 'inline',
  inline: true,
  atom: true,
  draggable: true,
  addOptions: () => ({ isAllowed: () => true }),
  addAttributes: () => ({ src: { default: '' }, alt: { default: '' }, title: { default: null } }),
  parseHTML: () => [{ tag: 'img[src]' }],
  renderHTML({ node, HTMLAttributes }) {
    const { src, alt, title } = node.attrs;
    const url = safeHref(src);
    if (url && !isMissing(src) && this.options.isAllowed(url))
      return [
        'span',
        { class: 'rich-picture', ...(title && { 'data-caption': title }) },
        ['img', { ...HTMLAttributes, src: url, referrerpolicy: 'no-referrer' }],
      ];
    const label = isMissing(src)
      ? `Missing picture: ${alt || src.slice(1).replaceAll('-', ' ')}`
      : `Picture: ${alt || src}`;
    return ['span', { class: 'rich-missing', role: 'img', 'aria-label': label }, label];
  },
});

/** Returns true for the placeholder of a pasted picture that was not uploaded. */
export function isMissing(url: string): boolean {
  return url.startsWith('#');
}

const RawBlock = Node.create({
  name: 'rawBlock',
  group: 'block',
  atom: true,
  addAttributes: () => ({ value: dataAttribute('raw', '') }),
  parseHTML: () => [{ tag: 'div[data-raw]' }],
  renderHTML: ({ node, HTMLAttributes }) => [
    'div',
    { class: 'rich-raw', ...HTMLAttributes },
    ['p', 'Markdown that can only be edited in the source view'],
    ['pre', String(node.attrs['value'])],
  ],
});

const RawInline = Node.create({
  name: 'rawInline',
  group: 'inline',
  inline: true,
  atom: true,
  addAttributes: () => ({ value: dataAttribute('raw', '') }),
  parseHTML: () => [{ tag: 'code[data-raw]', priority: 60 }],
  renderHTML: ({ node, HTMLAttributes }) => [
    'code',
    { class: 'rich-raw-inline', title: 'Can only be edited in the source view', ...HTMLAttributes },
    String(node.attrs['value']),
  ],
});

function dataAttribute(name: string, defaultValue: string) {
  return {
    default: defaultValue,
    parseHTML: (element: HTMLElement) => element.getAttribute(`data-${name}`),
    renderHTML: (attributes: Record<string, unknown>) => ({ [`data-${name}`]: Object.values(attributes)[0] }),
  };
}

/** Attributes that Markdown stores but the editor does not show. */
const HiddenAttributes = Extension.create({
  name: 'hiddenAttributes',
  addGlobalAttributes: () => [
    {
      types: ['bulletList', 'orderedList', 'taskList', 'listItem', 'taskItem'],
      attributes: { spread: { default: null, rendered: false } },
    },
    { types: ['codeBlock'], attributes: { meta: { default: null, rendered: false } } },
  ],
});

/**
 * Stores typed text without scrolling. The browser already scrolls to the caret, and ProseMirror would measure all
 * ancestors of the text for each key.
 */
const TypedText = Extension.create({
  name: 'typedText',
  // Below the input rules.
  priority: 1,
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        handleTextInput: ({ state: { selection, tr }, dispatch, composing }, from, to, text) => {
          if (composing || from !== to || !(selection instanceof TextSelection) || selection.$cursor?.pos !== from)
            return false;
          dispatch(tr.insertText(text, from, to));
          return true;
        },
      },
    }),
  ],
});

export function editorExtensions(options: Partial<ImageOptions> = {}): Extensions {
  return [
    Document,
    StarterKit.configure({ document: false, link: false, underline: false, listItem: false, code: false }),
    // Markdown allows links and bold text on code.
    Code.extend({ excludes: 'code' }),
    Link,
    ListItem.extend({ content: 'block+' }),
    TaskList,
    TypedTaskItem.configure({ nested: true }),
    FlatTable,
    TableRow,
    // An empty cell must not be announced as a header. The role cannot be updated when the text changes.
    TableHeader.extend({ content: 'paragraph' }).configure({ HTMLAttributes: { role: 'cell' } }),
    TableCell.extend({ content: 'paragraph' }),
    Callout,
    Footnote,
    FootnoteReference,
    Image.configure(options),
    RawBlock,
    RawInline,
    HiddenAttributes,
    TypedText,
    Extension.create({ name: 'find', addProseMirrorPlugins: () => [search()] }),
  ];
}
