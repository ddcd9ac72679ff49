import { FieldRow } from '../../form/field-row.tsx';
import { TextareaField, TextField } from '../../form/text-field.tsx';
import { SeparatedField } from '../separated-field.tsx';

export function HeroFields() {
  return (
    <>
      <TextField name="mainHeading" label="Main heading" />
      <SeparatedField
        name="rotatingWords"
        label="Rotating words"
        separator=","
        help="They follow the main heading one by one. Separate them by commas."
      />
      <TextareaField name="subheading" />
      <FieldRow>
        <TextField name="ctaText" label="Button text" />
        <TextField name="scrollText" label="Scroll text" />
      </FieldRow>
    </>
  );
}
