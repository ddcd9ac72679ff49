import { MarkdownField } from '../../editing/rich-text/markdown-field.tsx';
import { PictureField } from '../../media/picture-field.tsx';
import { GeneratedCover } from '../../media/placeholder-pictures.tsx';
import { FieldRow } from '../../ui/form/field-row.tsx';
import { FormColumns } from '../../ui/form/form-columns.tsx';
import { SlugField } from '../../ui/form/slug-field.tsx';
import { StatusField } from '../../ui/form/status-field.tsx';
import { DisplayOrderField, TextareaField, TextField } from '../../ui/form/text-field.tsx';
import type { ProjectForm } from './schema.ts';

export default function ProjectFields() {
  return (
    <FormColumns
      rail={
        <>
          <StatusField<ProjectForm> name="status" />
          <DisplayOrderField<ProjectForm> name="display_order" />
          <SlugField<ProjectForm> name="slug" from="title" />
          <PictureField<ProjectForm>
            name="featured_image"
            isCover
            help="If empty, a cover is generated from the title and the key metric."
            placeholder={<GeneratedCover<ProjectForm> slug="slug" title="title" keyFigure="metric" />}
          />
        </>
      }
    >
      <TextField<ProjectForm> name="title" required />
      <FieldRow>
        <TextField<ProjectForm> name="company" />
        <TextField<ProjectForm> name="metric" label="Key metric" placeholder="+40% replies" />
      </FieldRow>
      <TextareaField<ProjectForm> name="description" />
      <MarkdownField<ProjectForm> name="full_content" />
    </FormColumns>
  );
}
