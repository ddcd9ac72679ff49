import { FieldRow } from '../../admin/form/field-row.tsx';
import { SlugField } from '../../admin/form/slug-field.tsx';
import { StatusField } from '../../admin/form/status-field.tsx';
import { DisplayOrderField, TextField } from '../../admin/form/text-field.tsx';
import { PictureField } from '../../admin/pictures/picture-field.tsx';
import { MarkdownField } from '../../admin/writer/markdown-field.tsx';
import type { CaseStudyForm } from './schema.ts';

export default function CaseStudyFields() {
  return (
    <>
      <TextField<CaseStudyForm> name="headline" required />
      <SlugField<CaseStudyForm> name="slug" from="headline" />
      <MarkdownField<CaseStudyForm> name="story" />
      <PictureField<CaseStudyForm> name="cover_image" />
      <FieldRow>
        <StatusField<CaseStudyForm> name="status" />
        <DisplayOrderField<CaseStudyForm> name="display_order" />
      </FieldRow>
    </>
  );
}
