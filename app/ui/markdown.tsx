import { clsx } from 'clsx';
import { decodeNamedCharacterReference } from 'decode-named-character-reference';
import type { Token, Tokens } from 'marked';
import { createContext, Fragment, memo, type ReactNode, useContext, useId } from 'react';
import { withinPreview } from '../api/host/preview-base.ts';
import { findMetadata, type KnownPictures } from '../api/pictures.ts';
import { Callout } from './callout.tsx';
import {
  type AnyToken,
  asKnownToken,
  type Note,
  type NoteMarkToken,
  parseCallout,
  readMarkdown,
  type VideoToken,
} from './lib/markdown.ts';
import { plainText } from './lib/markdown-text.ts';
import { safeHref } from './lib/safe-href.ts';
import { Picture } from './picture.tsx';
import { Video } from './video.tsx';

interface MarkdownProps {
  text: string;
  /** Level of the top headings: one below the heading above the text. */
  topLevel?: 2 | 3 | 4;
  /** False shows alt texts and video URLs instead of loading media. */
  images?: boolean;
  /** Metadata of the pictures from the media library. */
  pictures?: KnownPictures | undefined;
  /** Shows a table of contents in the 17 rem to the left of the text. Set it for only one text per page. */
  contents?: boolean;
  /** True if the page may reload for a video that its CSP blocks. Otherwise the video is a link. */
  mayReload?: boolean;
  className?: string;
}

interface MarkdownContextValue {
  images: boolean;
  pictures?: KnownPictures | undefined;
  mayReload: boolean;
  /** Headings that the list of contents links to. */
  sections: readonly Tokens.Heading[];
  /** Id prefix of this text. Ids contain no user input, so they cannot collide with other ids on the page. */
  idPrefix: string;
}

const MarkdownContext = createContext<MarkdownContextValue>({
  images: true,
  mayReload: false,
  sections: [],
  idPrefix: '',
});

/**
 * Renders Markdown as React elements. HTML is shown as text, links are limited to http, mailto, tel and the site, and
 * pictures load lazily.
 */
export const Markdown = memo(function Markdown(props: MarkdownProps) {
  const { text, topLevel = 2, images = true, contents = false, pictures, mayReload = false, className } = props;
  const idPrefix = useId();
  const { tokens, notes } = readMarkdown(text);
  const sections = contents ? listSections(tokens) : [];
  return (
    <MarkdownContext value={{ images, pictures, mayReload, sections, idPrefix }}>
      {sections.length > 1 && <Contents sections={sections} />}
      <div className={clsx('grid grid-cols-[minmax(0,1fr)] gap-[1.1em] [&>:first-child]:mt-0', className)}>
        {renderTokens(tokens, topLevel)}
        {notes.length > 0 && <Notes notes={notes} topLevel={topLevel} />}
      </div>
    </MarkdownContext>
  );
});

function renderTokens(tokens: readonly Token[] | undefined, topLevel: number): ReactNode {
  return renderInOrder(tokens ?? [], (token) => renderToken(asKnownToken(token), topLevel));
}

/** Renders items with index keys, because tokens have no identity. */
function renderInOrder<Item>(items: readonly Item[], render: (item: Item) => ReactNode): ReactNode {
  return items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    <Fragment key={index}>{render(item)}</Fragment>
  ));
}

function renderToken(token: AnyToken, topLevel: number): ReactNode {
  const children = (tokens: readonly Token[] | undefined) => renderTokens(tokens, topLevel);
  switch (token.type) {
    case 'paragraph':
      return renderParagraph(token.tokens, topLevel);
    case 'text':
      return token.tokens ? children(token.tokens) : decodeEntities(token.text);
    case 'escape':
      return token.text;
    case 'heading':
      return <Heading token={token} topLevel={topLevel} />;
    case 'strong':
      return <strong className="font-semibold text-ink">{children(token.tokens)}</strong>;
    case 'em':
      return <em>{children(token.tokens)}</em>;
    case 'del':
      return <del>{children(token.tokens)}</del>;
    case 'br':
      return <br />;
    case 'codespan':
      return <code className="rounded-sm bg-sunken px-1.5 py-0.5 font-mono text-[0.88em]">{token.text}</code>;
    case 'link':
      return renderLink(token, children(token.tokens));
    case 'image':
      return <Image token={token} />;
    case 'list':
      return renderList(token, topLevel);
    case 'checkbox':
      return <Checkbox isChecked={token.checked} />;
    case 'blockquote':
      return renderQuote(token, topLevel);
    case 'code':
      return (
        // Keeps the width of the surrounding text. The font of code is wider.
        <div className="measure">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard */}
          <pre tabIndex={0} className="overflow-x-auto rounded-md bg-sunken p-5 font-mono text-sm leading-relaxed">
            <code>{token.text}</code>
          </pre>
        </div>
      );
    case 'table':
      return renderTable(token, topLevel);
    case 'hr':
      return <hr className="my-4 border-line" />;
    case 'html':
      return token.text;
    case 'video':
      return <VideoOrLink token={token} />;
    case 'noteMark':
      return <NoteMark token={token} />;
    default:
      return null;
  }
}

/** Renders a paragraph. Pictures with a caption become figures, which a paragraph must not contain. */
function renderParagraph(tokens: readonly Token[], topLevel: number): ReactNode {
  const parts: (Tokens.Image | Token[])[] = [];
  for (const token of tokens.map(asKnownToken)) {
    const last = parts.at(-1);
    if (token.type === 'image' && token.title) parts.push(token);
    else if (Array.isArray(last)) last.push(token);
    else parts.push([token]);
  }
  return renderInOrder(parts, (part) => {
    if (!Array.isArray(part)) return <Figure token={part} />;
    if (parts.length > 1 && part.every(({ raw }) => raw.trim() === '')) return null;
    return <p className="measure">{labelled(part, renderTokens(part, topLevel))}</p>;
  });
}

function Figure({ token }: { token: Tokens.Image }) {
  return (
    <figure className="measure grid justify-items-start gap-2">
      <Image token={{ ...token, title: null }} />
      <figcaption className="text-sm text-muted">{decodeEntities(token.title ?? '')}</figcaption>
    </figure>
  );
}

const HEADINGS = ['h2', 'h3', 'h4', 'h5'] as const;

function clampHeading(level: number) {
  return HEADINGS[level - 2] ?? 'h6';
}

function Heading({ token, topLevel }: { token: Tokens.Heading; topLevel: number }) {
  const { sections } = useContext(MarkdownContext);
  const Tag = clampHeading(Math.max(token.depth, 2) + topLevel - 2);
  const size = token.depth <= 2 ? 'mt-[0.9em] text-display-3' : 'mt-[0.6em] text-lg font-semibold';
  const index = sections.indexOf(token);
  return (
    <Tag {...(index >= 0 && { id: `section-${index}` })} className={clsx('measure scroll-mt-24 text-ink', size)}>
      {renderTokens(token.tokens, topLevel)}
    </Tag>
  );
}

/** Lists the top headings of a text. */
function listSections(tokens: readonly Token[]): Tokens.Heading[] {
  return tokens.map(asKnownToken).flatMap((token) => (token.type === 'heading' && token.depth <= 2 ? [token] : []));
}

/** Table of contents. It stays in view beside the text, and is hidden on narrow screens. */
function Contents({ sections }: { sections: readonly Tokens.Heading[] }) {
  return (
    <div className="absolute inset-y-0 right-full hidden w-68 pr-10 lg:block print:hidden">
      <nav aria-label="On this page" className="sticky top-24 max-h-[calc(100svh-7rem)] overflow-y-auto">
        <ul className="grid border-l border-line text-sm leading-snug">
          {renderInOrder(sections, (section) => (
            <li>
              <a
                href={`#section-${sections.indexOf(section)}`}
                className="-ml-px block border-l border-transparent py-1.5 pl-4 text-muted hover:border-accent hover:text-ink"
              >
                {decodeEntities(plainText(section.tokens))}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}

function renderQuote(token: Tokens.Blockquote, topLevel: number): ReactNode {
  const callout = parseCallout(token);
  if (callout) return <Callout kind={callout.kind}>{renderTokens(callout.tokens, topLevel)}</Callout>;
  return (
    <blockquote className="measure grid gap-3 border-l-2 border-accent py-1 pl-6 text-[1.08em] text-ink">
      {renderTokens(token.tokens, topLevel)}
    </blockquote>
  );
}

const LINK = 'text-accent underline decoration-line-strong underline-offset-4 hover:decoration-current';

function renderLink(token: Tokens.Link, content: ReactNode): ReactNode {
  const href = safeHref(token.href);
  if (!href) return content;
  return (
    <a href={withinPreview(href)} title={token.title ?? undefined} rel="noopener" className={LINK}>
      {content}
    </a>
  );
}

function Image({ token }: { token: Tokens.Image }): ReactNode {
  const { images, pictures } = useContext(MarkdownContext);
  const src = images && safeHref(token.href);
  if (!src || !/^(https?:|\/)/i.test(src)) return token.text;
  const metadata = findMetadata(pictures, src);
  return (
    <Picture
      src={src}
      alt={token.text}
      metadata={metadata}
      // Without its width, a small picture would be upscaled.
      sizes={metadata?.width ? '(min-width: 48rem) 42rem, 92vw' : undefined}
      fallback={token.text}
      title={token.title ?? undefined}
      className="h-auto max-w-full rounded-md"
    />
  );
}

function VideoOrLink({ token }: { token: VideoToken }): ReactNode {
  const { images, mayReload } = useContext(MarkdownContext);
  const link = (
    <p className="measure">
      <a href={token.url} rel="noopener" className={LINK}>
        {token.url}
      </a>
    </p>
  );
  return images ? <Video video={token.video} mayReload={mayReload} fallback={link} /> : link;
}

/** Footnote reference. */
function NoteMark({ token: { raw, number, occurrence } }: { token: NoteMarkToken }): ReactNode {
  const { idPrefix } = useContext(MarkdownContext);
  if (number === null) return raw;
  return (
    <sup className="text-[0.72em] leading-none">
      <a
        id={`${idPrefix}mark-${number}-${occurrence}`}
        href={`#${idPrefix}note-${number}`}
        role="doc-noteref"
        aria-label={`Footnote ${number}`}
        className={clsx(LINK, 'scroll-mt-24 px-0.5 font-medium')}
      >
        {number}
      </a>
    </sup>
  );
}

function Notes({ notes, topLevel }: { notes: Note[]; topLevel: number }): ReactNode {
  const { idPrefix } = useContext(MarkdownContext);
  const Heading = clampHeading(topLevel);
  return (
    <div className="measure mt-[1.5em] border-t border-line pt-[1.1em] text-[0.9em] text-muted">
      <Heading id={`${idPrefix}notes`} className="sr-only">
        Footnotes
      </Heading>
      <ol aria-labelledby={`${idPrefix}notes`} className="grid list-decimal gap-2 pl-6 marker:text-accent">
        {notes.map((note) => (
          <li
            key={note.number}
            id={`${idPrefix}note-${note.number}`}
            className="scroll-mt-24 rounded-sm pl-1 target:bg-accent-soft"
          >
            <div className="grid gap-2">{renderNote(note, idPrefix, topLevel)}</div>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Renders a note with links back to its references on its last line. */
function renderNote({ number, marks, tokens }: Note, idPrefix: string, topLevel: number): ReactNode {
  const backLinks = Array.from({ length: marks }, (_, index) => index + 1).map((occurrence) => (
    <Fragment key={occurrence}>
      {' '}
      <a
        href={`#${idPrefix}mark-${number}-${occurrence}`}
        role="doc-backlink"
        aria-label={`Back to reference ${number}${marks > 1 ? `-${occurrence}` : ''}`}
        className={clsx(LINK, 'inline-block px-1 no-underline')}
      >
        ↩{marks > 1 && <sup>{occurrence}</sup>}
      </a>
    </Fragment>
  ));
  const last = tokens.at(-1);
  if (last?.type !== 'paragraph') return [renderTokens(tokens, topLevel), <p key="back">{backLinks}</p>];
  return [
    renderTokens(tokens.slice(0, -1), topLevel),
    <p key="last">
      {renderTokens(last.tokens, topLevel)}
      {backLinks}
    </p>,
  ];
}

/** Read-only checkbox, labelled by its line. */
function Checkbox({ isChecked }: { isChecked: boolean }) {
  return (
    <input
      type="checkbox"
      checked={isChecked}
      disabled
      readOnly
      className="mr-2.5 inline-grid size-[1.05em] shrink-0 translate-y-[0.15em] appearance-none place-items-center rounded-[4px] border border-line-strong bg-surface before:size-[0.65em] before:bg-on-accent before:[clip-path:polygon(14%_46%,0_62%,42%_100%,100%_18%,84%_4%,40%_68%)] checked:border-accent checked:bg-accent checked:before:content-[''] forced-colors:appearance-auto"
    />
  );
}

/** Makes a line with a checkbox its label. */
function labelled(tokens: readonly Token[], content: ReactNode): ReactNode {
  // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is in the content
  return tokens[0]?.type === 'checkbox' ? <label>{content}</label> : content;
}

function renderList(token: Tokens.List, topLevel: number): ReactNode {
  const List = token.ordered ? 'ol' : 'ul';
  return (
    <List
      {...(token.ordered && typeof token.start === 'number' && token.start !== 1 && { start: token.start })}
      className={clsx('measure grid gap-2 pl-6 marker:text-accent', token.ordered ? 'list-decimal' : 'list-disc')}
    >
      {renderInOrder(token.items, (item) => (
        <li className={clsx('pl-1', item.task && '-ml-6 list-none')}>
          <div className="grid gap-2">{renderItem(item, topLevel)}</div>
        </li>
      ))}
    </List>
  );
}

/** Renders a list item. The text of the item is one line box. Nested blocks keep their own boxes. */
function renderItem({ tokens }: Tokens.ListItem, topLevel: number): ReactNode {
  const runs: Token[][] = [];
  for (const token of tokens) {
    const isInline = token.type === 'text' || token.type === 'checkbox';
    const last = runs.at(-1);
    if (isInline && last?.[0] && ['text', 'checkbox'].includes(last[0].type)) last.push(token);
    else if (token.type !== 'space') runs.push([token]);
  }
  return renderInOrder(runs, (run) => <div>{labelled(run, renderTokens(run, topLevel))}</div>);
}

const ALIGNMENT = { left: 'text-left', center: 'text-center', right: 'text-right' };

/** Number with sign or unit, which must not wrap: '1 200 000', '+4.5 %', '€ 30', '12 kg', '3–4'. */
const FIGURE = /^[^\p{L}\d]{0,3}(?:\p{L}{1,3}\s?)?\d[\d\s.,:/'’–−+-]*(?:\s?[^\d\s]{1,4})?$/u;

/** Maximum length of cells that do not wrap. Longer cells would make the table too wide. */
const MAX_NOWRAP_LENGTH = 32;

/** Maximum length of column names that fit beside the values of a stacked row. */
const MAX_LABEL_LENGTH = 12;

/** Cell of a stacked row on phones. The name of its column is shown before it. */
const STACKED_CELL =
  'max-sm:block max-sm:min-w-0 max-sm:px-0 max-sm:py-1 max-sm:whitespace-normal max-sm:wrap-anywhere max-sm:data-label:relative max-sm:data-label:pl-26! max-sm:before:absolute max-sm:before:left-0 max-sm:before:font-mono max-sm:before:text-label max-sm:before:leading-7 max-sm:before:text-muted max-sm:before:content-[attr(data-label)]';

/**
 * Renders a table. Number columns are right-aligned by default. On phones, the rows of a table of texts become labelled
 * values. Other tables scroll horizontally, because readers compare their numbers by column.
 */
function renderTable(token: Tokens.Table, topLevel: number): ReactNode {
  const figures = token.header.map((_, column) => {
    const texts = token.rows.flatMap((row) => row[column]?.text || []);
    return texts.length > 0 && texts.every((text) => FIGURE.test(text));
  });
  const isStacked =
    token.header.length > 1 &&
    token.header.every(({ text }) => text.length > 0 && text.length <= MAX_LABEL_LENGTH) &&
    !figures.includes(true);
  const cell = (content: Tokens.TableCell, tagName: 'th' | 'td', column: number) => {
    // An empty header cell is not a header.
    const Cell = content.text ? tagName : 'td';
    const isFigure = FIGURE.test(content.text);
    const align = content.align ?? (figures[column] ? 'right' : null);
    return (
      <Cell
        {...(Cell === 'th' && { scope: 'col' })}
        {...(isStacked &&
          tagName === 'td' &&
          column > 0 && { 'data-label': decodeEntities(token.header[column]?.text ?? '') })}
        className={clsx(
          'px-4 py-2.5 align-top first:pl-0 last:pr-0',
          Cell === 'th' && 'font-mono text-label text-muted',
          isFigure && 'tabular-nums',
          isFigure || content.text.length <= MAX_NOWRAP_LENGTH ? 'whitespace-nowrap' : 'min-w-64',
          align && ALIGNMENT[align],
          isStacked && STACKED_CELL,
        )}
      >
        {renderTokens(content.tokens, topLevel)}
      </Cell>
    );
  };
  const row = (cells: Tokens.TableCell[], tagName: 'th' | 'td') => (
    <tr className={clsx(isStacked && tagName === 'td' && 'max-sm:block max-sm:py-3')}>
      {cells.map((content, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: cells have no identity except their position
        <Fragment key={column}>{cell(content, tagName, column)}</Fragment>
      ))}
    </tr>
  );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable areas must be reachable by keyboard
    <div className="scroll-fade overflow-x-auto" tabIndex={0}>
      <table
        className={clsx(
          'min-w-[min(100%,var(--measure,68ch))] border-collapse text-left wrap-normal',
          isStacked && 'max-sm:block',
        )}
      >
        <thead className={clsx('border-b border-line-strong', isStacked && 'max-sm:sr-only')}>
          {row(token.header, 'th')}
        </thead>
        <tbody className={clsx('divide-y divide-line', isStacked && 'max-sm:block max-sm:border-y max-sm:border-line')}>
          {renderInOrder(token.rows, (cells) => row(cells, 'td'))}
        </tbody>
      </table>
    </div>
  );
}

/** Decodes entities, because React escapes text itself. */
function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (entity, decimal, hex, name) => {
    if (name) return decodeNamedCharacterReference(name) || entity;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity;
  });
}
