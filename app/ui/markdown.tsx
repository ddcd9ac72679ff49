import { clsx } from 'clsx';
import { decodeNamedCharacterReference } from 'decode-named-character-reference';
import { type MarkedToken, marked, type Token, type Tokens } from 'marked';
import { createContext, Fragment, memo, type ReactNode, useContext } from 'react';
import { Picture } from './picture.tsx';

interface MarkdownProps {
  text: string;
  /** The level of its highest headings, one below the heading that stands above the text. */
  topLevel?: 2 | 3 | 4;
  /** False shows the description of a picture instead, so that nothing is loaded from anywhere. */
  images?: boolean;
  className?: string;
}

const ImagesAllowed = createContext(true);

/**
 * Markdown as React elements. HTML in the text is shown as the characters that were typed, links lead only to the web,
 * to mail and telephone and within the site, and pictures load when they come near.
 */
export const Markdown = memo(function Markdown({ text, topLevel = 2, images = true, className }: MarkdownProps) {
  return (
    <ImagesAllowed value={images}>
      <div className={clsx('grid gap-[1.1em] [&>:first-child]:mt-0', className)}>
        {renderTokens(marked.lexer(text), topLevel)}
      </div>
    </ImagesAllowed>
  );
});

function renderTokens(tokens: readonly Token[] | undefined, topLevel: number): ReactNode {
  return inOrder(tokens ?? [], (token) => renderToken(token as MarkedToken, topLevel));
}

/** Each item's element, with the key of its place: tokens have no identity of their own. */
function inOrder<Item>(items: readonly Item[], render: (item: Item) => ReactNode): ReactNode {
  return items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    <Fragment key={index}>{render(item)}</Fragment>
  ));
}

function renderToken(token: MarkedToken, topLevel: number): ReactNode {
  const inside = (tokens: readonly Token[] | undefined) => renderTokens(tokens, topLevel);
  switch (token.type) {
    case 'paragraph':
      return <p className="measure">{inside(token.tokens)}</p>;
    case 'text':
      return token.tokens ? inside(token.tokens) : decodeEntities(token.text);
    case 'escape':
      return token.text;
    case 'heading':
      return renderHeading(token, topLevel);
    case 'strong':
      return <strong className="font-semibold text-ink">{inside(token.tokens)}</strong>;
    case 'em':
      return <em>{inside(token.tokens)}</em>;
    case 'del':
      return <del>{inside(token.tokens)}</del>;
    case 'br':
      return <br />;
    case 'codespan':
      return <code className="rounded-sm bg-sunken px-1.5 py-0.5 font-mono text-[0.88em]">{token.text}</code>;
    case 'link':
      return renderLink(token, inside(token.tokens));
    case 'image':
      return <Image token={token} />;
    case 'list':
      return renderList(token, topLevel);
    case 'checkbox':
      return <input type="checkbox" checked={token.checked} disabled readOnly className="mr-2 accent-(--accent)" />;
    case 'blockquote':
      return (
        <blockquote className="measure grid gap-3 border-l-2 border-accent py-1 pl-6 text-[1.08em] text-ink">
          {inside(token.tokens)}
        </blockquote>
      );
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide block scrolls, and the keyboard must reach it
        <pre tabIndex={0} className="overflow-x-auto rounded-md bg-sunken p-5 font-mono text-sm leading-relaxed">
          <code>{token.text}</code>
        </pre>
      );
    case 'table':
      return renderTable(token, topLevel);
    case 'hr':
      return <hr className="my-4 border-line" />;
    case 'html':
      return token.text;
    default:
      return null;
  }
}

function renderHeading(token: Tokens.Heading, topLevel: number): ReactNode {
  const level = Math.min(6, Math.max(token.depth, 2) + topLevel - 2);
  const Heading = `h${level}` as 'h2';
  const size = token.depth <= 2 ? 'mt-[0.9em] text-display-3' : 'mt-[0.6em] text-lg font-semibold';
  return <Heading className={clsx('measure text-ink', size)}>{renderTokens(token.tokens, topLevel)}</Heading>;
}

function renderLink(token: Tokens.Link, content: ReactNode): ReactNode {
  const href = safeHref(token.href);
  if (!href) return content;
  return (
    <a
      href={href}
      title={token.title ?? undefined}
      rel="noopener"
      className="text-accent underline decoration-line-strong underline-offset-4 hover:decoration-current"
    >
      {content}
    </a>
  );
}

function Image({ token }: { token: Tokens.Image }): ReactNode {
  const areAllowed = useContext(ImagesAllowed);
  const src = areAllowed && safeHref(token.href);
  if (!src || !/^(https?:|\/)/i.test(src)) return token.text;
  return (
    <Picture
      src={src}
      alt={token.text}
      otherwise={token.text}
      title={token.title ?? undefined}
      loading="lazy"
      decoding="async"
      className="h-auto max-w-full rounded-md"
    />
  );
}

function renderList(token: Tokens.List, topLevel: number): ReactNode {
  const List = token.ordered ? 'ol' : 'ul';
  return (
    <List
      {...(token.ordered && typeof token.start === 'number' && token.start !== 1 && { start: token.start })}
      className={clsx('measure grid gap-2 pl-6 marker:text-accent', token.ordered ? 'list-decimal' : 'list-disc')}
    >
      {inOrder(token.items, (item) => (
        <li className={clsx('pl-1', item.task && '-ml-6 list-none')}>
          <div className="grid gap-2">{renderItem(item, topLevel)}</div>
        </li>
      ))}
    </List>
  );
}

/** A list item's own words stay in one line box; the blocks below them (a nested list, a paragraph) keep their own. */
function renderItem({ tokens }: Tokens.ListItem, topLevel: number): ReactNode {
  const runs: Token[][] = [];
  for (const token of tokens) {
    const isInline = token.type === 'text' || token.type === 'checkbox';
    const last = runs.at(-1);
    if (isInline && last?.[0] && ['text', 'checkbox'].includes(last[0].type)) last.push(token);
    else if (token.type !== 'space') runs.push([token]);
  }
  return inOrder(runs, (run) => <div>{renderTokens(run, topLevel)}</div>);
}

const ALIGNMENT = { left: 'text-left', center: 'text-center', right: 'text-right' };

function renderTable(token: Tokens.Table, topLevel: number): ReactNode {
  const cell = (content: Tokens.TableCell, wanted: 'th' | 'td') => {
    // A header without words heads nothing.
    const Cell = content.text ? wanted : 'td';
    return (
      <Cell
        {...(Cell === 'th' && { scope: 'col' })}
        className={clsx(
          'px-4 py-2.5 align-top first:pl-0 last:pr-0',
          Cell === 'th' && 'font-mono text-label text-muted',
          content.align && ALIGNMENT[content.align],
        )}
      >
        {renderTokens(content.tokens, topLevel)}
      </Cell>
    );
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table scrolls, and the keyboard must reach it
    <div className="measure overflow-x-auto" tabIndex={0}>
      <table className="w-full border-collapse text-left tabular-nums">
        <thead className="border-b border-line-strong">
          <tr>{inOrder(token.header, (content) => cell(content, 'th'))}</tr>
        </thead>
        <tbody className="divide-y divide-line">
          {inOrder(token.rows, (row) => (
            <tr>{inOrder(row, (content) => cell(content, 'td'))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The address when it is safe to follow, else null. Browsers ignore spaces and control characters in a scheme. */
export function safeHref(href: string): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
  const bare = href.replace(/[\u0000-\u0020\u007f]/g, '');
  if (/^(https?:\/\/|mailto:|tel:)/i.test(bare)) return bare;
  if (/^(\/(?![/\\])|#|\?)/.test(bare)) return bare;
  return /^[^:/\\]+(\/|$)/.test(bare) ? bare : null;
}

/** React escapes text itself, so the entities that Markdown allows are turned into their characters first. */
function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name) return decodeNamedCharacterReference(name) || whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
