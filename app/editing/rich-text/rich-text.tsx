import { clsx } from 'clsx';
import { useEffect, useMemo, useRef, useState } from 'react';
import { CONTROL_CLASS } from '../../ui/control-class.ts';
import { useFieldProps } from '../../ui/field.tsx';
import { LoadFailure, lazy } from '../../ui/lazy.tsx';
import { whenIdle } from '../../ui/lib/when-idle.ts';
import { Markdown } from '../../ui/markdown.tsx';
import { type LoadedProps, type RichTextProps, TEXT_HEIGHT } from './rich-text-props.ts';

/** Characters shown before the editor is loaded. */
const PREVIEW_LENGTH = 3000;

const RichTextEditor = lazy(() => import('./rich-text-editor.tsx'), { Loading: Preview, Failed });

/** Renders a rich-text editor for Markdown. Its code loads when the browser is idle or the text is focused. */
export function RichText(props: RichTextProps) {
  const [isRequested, setRequested] = useState(false);
  const typed = useRef<string | null>(null);
  useEffect(() => whenIdle(() => setRequested(true)), []);
  const loaded = { ...props, typed };
  return isRequested ? <RichTextEditor {...loaded} /> : <Preview {...loaded} onRequest={() => setRequested(true)} />;
}

function Preview({ title, value, inputRef, typed, onRequest }: LoadedProps & { onRequest?: () => void }) {
  const start = useMemo(() => startOf(value), [value]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a text area cannot show formatted text
    <div
      ref={inputRef}
      {...useFieldProps()}
      role="textbox"
      aria-multiline="true"
      aria-readonly="true"
      aria-label={title}
      tabIndex={0}
      onFocus={() => {
        typed.current ??= '';
        onRequest?.();
      }}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget) typed.current = null;
      }}
      onKeyDown={(event) => {
        if (event.key.length > 1 || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        typed.current += event.key;
      }}
      className={clsx(CONTROL_CLASS, TEXT_HEIGHT, 'overflow-hidden pt-16 pb-8')}
    >
      <div inert>
        <Markdown text={start} images={false} />
      </div>
    </div>
  );
}

function Failed({ onRetry, ...props }: LoadedProps & { onRetry: () => void }) {
  return (
    <>
      <LoadFailure onRetry={onRetry} />
      <Preview {...props} />
    </>
  );
}

/** Returns whole blocks from the start of a text. */
function startOf(text: string): string {
  if (text.length <= PREVIEW_LENGTH) return text;
  const end = text.lastIndexOf('\n\n', PREVIEW_LENGTH);
  return text.slice(0, end > 0 ? end : PREVIEW_LENGTH);
}
