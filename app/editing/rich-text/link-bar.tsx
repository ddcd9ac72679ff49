import { useQuery } from '@tanstack/react-query';
import type { Editor } from '@tiptap/core';
import { clsx } from 'clsx';
import { X } from 'lucide-react';
import { type KeyboardEvent, useDeferredValue, useId, useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Input } from '../../ui/input.tsx';
import { linkAt, removeLink, writeLink } from './link.ts';
import { linkTarget } from './link-target.ts';
import { Popup } from './popup.tsx';
import { type SitePage, sitePagesQuery } from './site-pages.ts';

interface LinkBarProps {
  editor: Editor;
  onClose: () => void;
}

/** Renders the form for the URL of the selected text, or for the text and URL of a link. Input that is not a URL searches the site's pages. */
export function LinkBar({ editor, onClose }: LinkBarProps) {
  const id = useId();
  const [link] = useState(() => linkAt(editor));
  const [text, setText] = useState(link.text);
  const [url, setUrl] = useState(link.url);
  const [active, setActive] = useState(-1);
  const [problem, setProblem] = useState<string>();
  const { pages, status } = usePageSearch(url);
  const isOpen = pages.length > 0;

  const insert = (target: string | null, title: string) => {
    if (!target) return setProblem('Enter a URL such as https://example.com or /about, or choose a page.');
    writeLink(editor, link, text.trim() || title || target, target);
    onClose();
  };
  const choose = ({ path, title }: SitePage) => insert(path, title);
  const submit = () => (pages[active] ? choose(pages[active]) : insert(linkTarget(url), ''));
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.nativeEvent.isComposing) return;
    const isInInput = event.target instanceof HTMLInputElement;
    const move = isInInput && isOpen && { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move) setActive((active + move + pages.length + (active === -1 && move === -1 ? 1 : 0)) % pages.length);
    else if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter' && isInInput) submit();
    else return;
    // Enter would submit the form, and Escape would leave full screen.
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <Popup
      editor={editor}
      from={link.from}
      to={link.to}
      role="dialog"
      aria-label="Link"
      onKeyDown={onKeyDown}
      className="grid w-96 gap-3 p-3"
    >
      {(link.text === '' || link.url !== '') && (
        <Field label="Link text">
          <Input
            type="text"
            autoComplete="off"
            autoFocus={link.text === '' && link.url !== ''}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
      )}
      <Field label="URL or page title" error={problem}>
        <Input
          type="text"
          inputMode="url"
          autoComplete="off"
          autoFocus={link.text !== '' || link.url === ''}
          placeholder="https:// or a title"
          {...comboboxAttributes({ id, isOpen, active })}
          value={url}
          onChange={(event) => {
            setUrl(event.target.value);
            setActive(-1);
            setProblem(undefined);
          }}
        />
        {isOpen && <PageOptions id={id} pages={pages} active={active} onChoose={choose} />}
      </Field>
      <LinkBarFooter
        status={status}
        submitLabel={link.url ? 'Change link' : 'Insert link'}
        onSubmit={submit}
        onRemove={link.url ? () => removeLink(editor, link) : undefined}
        onClose={onClose}
      />
    </Popup>
  );
}

/** Searches the site's pages, unless the input is a URL. */
function usePageSearch(input: string): { pages: readonly SitePage[]; status: string } {
  const search = useDeferredValue(input.trim());
  const isSearch = linkTarget(search) === null;
  const { data = [], isFetching } = useQuery({ ...sitePagesQuery(search), enabled: isSearch });
  if (!isSearch) return { pages: [], status: '' };
  return { pages: data, status: statusOf({ search, isFetching, count: data.length }) };
}

/** Returns the ARIA attributes of the combobox. */
function comboboxAttributes({ id, isOpen, active }: { id: string; isOpen: boolean; active: number }) {
  return {
    role: 'combobox',
    'aria-expanded': isOpen,
    'aria-controls': isOpen ? id : undefined,
    'aria-autocomplete': 'list',
    'aria-activedescendant': isOpen && active >= 0 ? `${id}-${active}` : undefined,
  } as const;
}

interface LinkBarFooterProps {
  status: string;
  submitLabel: string;
  onSubmit: () => void;
  onRemove: (() => void) | undefined;
  onClose: () => void;
}

function LinkBarFooter({ status, submitLabel, onSubmit, onRemove, onClose }: LinkBarFooterProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <p role="status" className="text-sm text-muted">
        {status}
      </p>
      <div className="flex gap-2">
        <Button size="sm" onClick={onSubmit}>
          {submitLabel}
        </Button>
        {onRemove && (
          <Button
            variant="secondary"
            size="sm"
            onClick={() => {
              onRemove();
              onClose();
            }}
          >
            Remove link
          </Button>
        )}
        <Button variant="ghost" size="sm" onClick={onClose}>
          <X aria-hidden="true" />
          Cancel
        </Button>
      </div>
    </div>
  );
}

interface PageOptionsProps {
  id: string;
  pages: readonly SitePage[];
  active: number;
  onChoose: (page: SitePage) => void;
}

function PageOptions({ id, pages, active, onChoose }: PageOptionsProps) {
  return (
    <div
      role="listbox"
      id={id}
      aria-label="Pages of this site"
      className="max-h-44 overflow-y-auto rounded-md border border-line p-1"
    >
      {pages.map((page, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the focus and handles the keys
        <div
          key={page.path}
          ref={(option) => {
            if (index === active) option?.scrollIntoView({ block: 'nearest' });
          }}
          role="option"
          id={`${id}-${index}`}
          tabIndex={-1}
          aria-selected={index === active}
          onClick={() => onChoose(page)}
          className={clsx(
            'flex min-h-10 cursor-pointer items-center gap-2.5 rounded-sm px-2.5 text-[0.9375rem] hover:bg-sunken',
            index === active && 'bg-sunken',
          )}
        >
          <span className="min-w-0 flex-1 truncate">{page.title}</span>
          {page.isDraft && <Badge tone="neutral">Draft</Badge>}
          <span className="text-sm text-muted">{page.kind}</span>
        </div>
      ))}
    </div>
  );
}

function statusOf({ search, isFetching, count }: { search: string; isFetching: boolean; count: number }): string {
  if (count > 0) return count === 1 ? '1 page of this site' : `${count} pages of this site`;
  if (isFetching) return 'Searching...';
  return search === '' ? '' : `No page title contains "${search}".`;
}
