import { useRef } from 'react';
import { lazy } from '../../ui/lazy.tsx';
import { Textarea } from '../../ui/textarea.tsx';
import type { LoadedProps, MergeTextProps } from './merge-text-props.ts';

const MergeTextEditor = lazy(() => import('./merge-text-editor.tsx'), { Loading: PlainField, Failed: PlainField });

/**
 * Renders a plain text editor that shows merge fields such as {{first_name}} as chips. Renders a text area until the
 * editor is loaded.
 */
export function MergeText(props: MergeTextProps) {
  const hasFocus = useRef(false);
  return <MergeTextEditor {...props} hasFocus={hasFocus} />;
}

function PlainField({ value, onChange, onBlur, inputRef, hasInitialFocus, hasFocus }: LoadedProps) {
  return (
    <Textarea
      ref={inputRef}
      rows={10}
      {...(hasInitialFocus && { 'data-initial-focus': true })}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onFocus={() => {
        hasFocus.current = true;
      }}
      onBlur={({ relatedTarget }) => {
        if (relatedTarget) hasFocus.current = false;
        onBlur();
      }}
    />
  );
}
