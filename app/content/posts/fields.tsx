import { MarkdownField } from '../../editing/rich-text/markdown-field.tsx';
import { PictureField } from '../../media/picture-field.tsx';
import { GeneratedCover } from '../../media/placeholder-pictures.tsx';
import { useSiteZone } from '../../settings/use-site-zone.ts';
import { DateField } from '../../ui/form/date-field.tsx';
import { FormColumns } from '../../ui/form/form-columns.tsx';
import { SlugField } from '../../ui/form/slug-field.tsx';
import { StatusField } from '../../ui/form/status-field.tsx';
import { TextareaField, TextField } from '../../ui/form/text-field.tsx';
import type { PostForm } from './schema.ts';

export default function PostFields() {
  const zone = useSiteZone();
  return (
    <FormColumns
      rail={
        <>
          <StatusField<PostForm> name="status" />
          <DateField<PostForm>
            name="published_date"
            timeZone={zone}
            help={`In the time zone of the site, ${zone.replaceAll('_', ' ')}. If empty, the time at which you save is used.`}
          />
          <TextField<PostForm> name="category" />
          <SlugField<PostForm> name="slug" from="title" />
          <PictureField<PostForm>
            name="featured_image"
            isCover
            help="If empty, a cover is generated from the title and the figure in it."
            placeholder={<GeneratedCover<PostForm> slug="slug" title="title" />}
          />
        </>
      }
    >
      <TextField<PostForm> name="title" required />
      <TextareaField<PostForm> name="excerpt" rows={2} help="Two or three sentences for lists and search engines." />
      <MarkdownField<PostForm> name="content" />
    </FormColumns>
  );
}
