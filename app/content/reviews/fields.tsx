import { FieldRow } from '../../form/field-row.tsx';
import { FormColumns } from '../../form/form-columns.tsx';
import { RatingField } from '../../form/rating-field.tsx';
import { StatusField } from '../../form/status-field.tsx';
import { DisplayOrderField, TextareaField, TextField } from '../../form/text-field.tsx';
import { DrawnPortrait } from '../../pictures/drawn-pictures.tsx';
import { PictureField } from '../../pictures/picture-field.tsx';
import type { ReviewForm } from './schema.ts';

export default function ReviewFields() {
  return (
    <FormColumns
      rail={
        <>
          <StatusField<ReviewForm> name="status" />
          <DisplayOrderField<ReviewForm> name="display_order" />
          <RatingField<ReviewForm> name="rating" />
          <PictureField<ReviewForm>
            name="avatar_url"
            help="Without one, initials are drawn."
            drawn={<DrawnPortrait<ReviewForm> name="author_name" />}
          />
        </>
      }
    >
      <TextField<ReviewForm> name="author_name" required />
      <FieldRow>
        <TextField<ReviewForm> name="author_role" />
        <TextField<ReviewForm> name="company" />
      </FieldRow>
      <TextareaField<ReviewForm> name="quote" required="to publish" help="A draft may lack it." />
    </FormColumns>
  );
}
