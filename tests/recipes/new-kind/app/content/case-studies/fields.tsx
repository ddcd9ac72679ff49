import { MarkdownField } from '../../editing/rich-text/markdown-field.tsx';
import { PictureField } from '../../media/picture-field.tsx';
import { FormColumns } from '../../ui/form/form-columns.tsx';
import { SlugField } from '../../ui/form/slug-field.tsx';
import { StatusField } from '../../ui/form/status-field.tsx';
import { DisplayOrderField, TextField } from '../../ui/form/text-field.tsx';
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
