import { clsx } from 'clsx';
import type { ComponentProps } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { CONTROL_CLASS } from '../../ui/control-class.ts';
import { useFieldProps } from '../../ui/field.tsx';
import type { Box } from './measure-text.ts';
import { SlashMenuList } from './slash-menu-list.tsx';
import type { SlashMenu } from './use-slash-menu.ts';
import type { WriterTools } from './use-writer.ts';

interface WriterAreaProps {
  registration: UseFormRegisterReturn;
  tools: WriterTools;
  label: string | undefined;
  className: string;
}

/** Text area with overlays. Its height is fixed because auto-growing would measure long texts on every key. */
export function WriterArea({ registration: { ref, ...field }, tools, label, className }: WriterAreaProps) {
  const { area, pictures, slashMenu, found } = tools;
  return (
    <>
      <textarea
        {...useFieldProps()}
        {...field}
        {...combobox(slashMenu)}
        aria-label={label}
        rows={16}
        onKeyDown={tools.onKeyDown}
        onFocus={tools.prepare}
        onBlur={(event) => {
          slashMenu.close();
          void field.onBlur(event);
        }}
        onSelect={slashMenu.onSelect}
        onInput={(event) => tools.onInput(event.nativeEvent instanceof InputEvent ? event.nativeEvent.data : null)}
        onPaste={tools.onPaste}
        onDragOver={(event) => event.dataTransfer.types.includes('Files') && event.preventDefault()}
        onDrop={(event) => {
          if (!pictures.take(event.dataTransfer)) return;
          event.preventDefault();
          putCaret(event.currentTarget, event.clientX, event.clientY);
        }}
        ref={(element) => {
          ref(element);
          area.current = element;
        }}
        className={clsx(
          CONTROL_CLASS,
          'block border-0 bg-transparent! py-3 leading-relaxed shadow-none focus-visible:-outline-offset-2!',
          className,
        )}
      />
      {found.length > 0 && <FoundMark boxes={found} area={area.current} />}
      <SlashMenuList menu={slashMenu} />
    </>
  );
}

/** Places the caret at the drop position, if the browser exposes it. */
function putCaret(area: HTMLTextAreaElement, x: number, y: number): void {
  const place = document.caretPositionFromPoint?.(x, y);
  if (place?.offsetNode === area) area.setSelectionRange(place.offset, place.offset);
}

/** ARIA attributes for the open menu. A text area cannot have the role combobox. */
function combobox({ open, id, optionId }: SlashMenu): ComponentProps<'textarea'> {
  if (!open) return {};
  return {
    'aria-haspopup': 'listbox',
    'aria-autocomplete': 'list',
    'aria-controls': id,
    'aria-activedescendant': optionId(open.active),
  };
}

/** Highlights the match and scrolls with the text area. */
function FoundMark({ boxes, area }: { boxes: readonly Box[]; area: HTMLTextAreaElement | null }) {
  return (
    <div aria-hidden="true" className="pointer-events-none absolute inset-0 overflow-hidden">
      <div
        ref={(layer) => {
          if (!layer || !area) return;
          const follow = () => {
            layer.style.transform = `translateY(${-area.scrollTop}px)`;
          };
          follow();
          area.addEventListener('scroll', follow, { passive: true });
          return () => area.removeEventListener('scroll', follow);
        }}
        className="absolute inset-0"
      >
        {boxes.map((box) => (
          <span
            key={`${box.top} ${box.left}`}
            style={box}
            className="absolute rounded-[2px] bg-accent/25 outline-2 outline-accent"
          />
        ))}
      </div>
    </div>
  );
}
