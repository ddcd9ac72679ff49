import { FormColumns } from '../../form/form-columns.tsx';
import { SlugField } from '../../form/slug-field.tsx';
import { StatusField } from '../../form/status-field.tsx';
import { DisplayOrderField, TextField } from '../../form/text-field.tsx';
import { PictureField } from '../../pictures/picture-field.tsx';
import { MarkdownField } from '../../writer/markdown-field.tsx';
import type { CaseStudyForm } from './schema.ts';

export default function CaseStudyFields() {
  return (
    <FormColumns
      rail={
        <>
          <StatusField<CaseStudyForm> name="status" />
          <DisplayOrderField<CaseStudyForm> name="display_order" />
          <SlugField<CaseStudyForm> name="slug" from="headline" />
          <PictureField<CaseStudyForm> name="cover_image" isCover />
        </>
      }
    >
      <TextField<CaseStudyForm> name="headline" required />
      <MarkdownField<CaseStudyForm> name="story" />
    </FormColumns>
  );
}
