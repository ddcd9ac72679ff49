import type { Hero } from '../../../data/pages/hero.ts';
import { FieldRow } from '../../../form/field-row.tsx';
import { TextareaField, TextField } from '../../../form/text-field.tsx';
import { SeparatedField } from '../separated-field.tsx';

export function HeroFields() {
  return (
    <>
      <TextField<Hero> name="mainHeading" label="Main heading" />
      <SeparatedField<Hero>
        name="rotatingWords"
        label="Rotating words"
        separator=","
        help="They follow the main heading one by one. Separate them by commas."
      />
      <TextareaField<Hero> name="subheading" />
      <FieldRow>
        <TextField<Hero> name="ctaText" label="Button text" />
        <TextField<Hero> name="scrollText" label="Scroll text" />
      </FieldRow>
    </>
  );
}
