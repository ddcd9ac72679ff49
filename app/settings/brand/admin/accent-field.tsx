import type { ReactNode } from 'react';
import { useController } from 'react-hook-form';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { Input } from '../../../ui/input.tsx';
import { checkAccentContrast, readColour } from '../accent.ts';
import { LIGHT } from '../brand.ts';
import { explainAccentError } from '../brand-assets.ts';
import type { Brand } from '../brand-editing.ts';

/** Renders the colour field and suggests the nearest acceptable colour. The children are shown beside the heading. */
export function AccentField({ children }: { children: ReactNode }) {
  const { field } = useController<Brand, 'accent'>({ name: 'accent' });
  const colour = readColour(field.value);
  const nearest = colour ? checkAccentContrast(colour)?.nearest : undefined;
  return (
    <section className="grid grid-cols-1 gap-4 rounded-lg border border-line bg-surface p-5">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-lg font-semibold">Accent colour</h2>
        {children}
      </div>
      <Field
        label="Colour"
        help="Used for buttons, links, drawings and the chat on other sites. The shades of both themes are derived from it."
        error={explainAccentError(field.value)}
      >
        <div className="flex items-start gap-3">
          <Input {...field} spellCheck={false} autoComplete="off" maxLength={9} className="font-mono" />
          <input
            type="color"
            aria-label="Pick a colour"
            value={colour ?? LIGHT.accent}
            onChange={(event) => field.onChange(event.target.value)}
            className="size-11 shrink-0 cursor-pointer rounded-md border border-line-strong bg-surface p-1"
          />
        </div>
      </Field>
      <div className="flex flex-wrap gap-2 empty:hidden">
        {nearest && (
          <Button size="sm" variant="secondary" onClick={() => field.onChange(nearest)}>
            <Swatch colour={nearest} />
            Use {nearest}
          </Button>
        )}
        {colour !== LIGHT.accent && (
          <Button size="sm" variant="ghost" onClick={() => field.onChange(LIGHT.accent)}>
            <Swatch colour={LIGHT.accent} />
            Reset to built-in colour
          </Button>
        )}
      </div>
    </section>
  );
}

function Swatch({ colour }: { colour: string }) {
  return <span aria-hidden="true" className="size-4 rounded-sm border border-line" style={{ background: colour }} />;
}
