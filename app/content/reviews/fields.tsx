import { PictureField } from '../../media/picture-field.tsx';
import { GeneratedPortrait } from '../../media/placeholder-pictures.tsx';
import { FieldRow } from '../../ui/form/field-row.tsx';
import { FormColumns } from '../../ui/form/form-columns.tsx';
import { RatingField } from '../../ui/form/rating-field.tsx';
import { StatusField } from '../../ui/form/status-field.tsx';
import { DisplayOrderField, TextareaField, TextField } from '../../ui/form/text-field.tsx';
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
            help="If empty, initials are shown."
            placeholder={<GeneratedPortrait<ReviewForm> name="author_name" />}
          />
        </>
      }
    >
      <TextField<ReviewForm> name="author_name" required />
      <FieldRow>
        <TextField<ReviewForm> name="author_role" />
        <TextField<ReviewForm> name="company" />
      </FieldRow>
      <TextareaField<ReviewForm> name="quote" required="to publish" />
    </FormColumns>
  );
}
