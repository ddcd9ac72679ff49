import { useFormContext, useWatch } from 'react-hook-form';
import { type Hero, heroHeadlines } from '../../../content/pages/hero.ts';
import { FieldRow } from '../../../ui/form/field-row.tsx';
import { TextareaField, TextField } from '../../../ui/form/text-field.tsx';
import { SeparatedField } from '../separated-field.tsx';

export function HeroFields() {
  return (
    <>
      <TextField<Hero> name="mainHeading" label="Main heading" />
      <SeparatedField<Hero>
        name="rotatingWords"
        label="Rotating words"
        separator=","
        help="Shown after the main heading, one at a time. Separate them with commas."
      />
      <Headlines />
      <TextareaField<Hero> name="subheading" />
      <FieldRow>
        <TextField<Hero> name="ctaText" label="Button text" />
        <TextField<Hero> name="workText" label="Second link" />
        <TextField<Hero> name="scrollText" label="Scroll text" />
      </FieldRow>
    </>
  );
}

/** Renders buttons that fill in a suggested headline without saving it. */
function Headlines() {
  const { setValue } = useFormContext<Hero>();
  const heading = useWatch<Hero, 'mainHeading'>({ name: 'mainHeading' });
  const choose = ({ mainHeading, rotatingWords }: (typeof heroHeadlines)[number]) => {
    setValue('mainHeading', mainHeading, { shouldDirty: true });
    setValue('rotatingWords', [...rotatingWords], { shouldDirty: true });
  };
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 font-medium text-sm">Suggested headlines</legend>
      {heroHeadlines.map((headline) => (
        <button
          key={headline.mainHeading}
          type="button"
          aria-pressed={heading === headline.mainHeading}
          onClick={() => choose(headline)}
          className="min-h-11 rounded-md border border-line px-3 py-2 text-left hover:border-line-strong aria-pressed:border-accent aria-pressed:bg-accent-soft"
        >
          {headline.mainHeading} <span className="text-accent">{headline.rotatingWords.join(', ')}</span>
        </button>
      ))}
    </fieldset>
  );
}
