import type { Testimonials } from '../../../content/pages/testimonials.ts';
import { PictureField } from '../../../media/picture-field.tsx';
import { TextareaField, TextField } from '../../../ui/form/text-field.tsx';
import { ItemList, useOpenRow } from '../item-list.tsx';

export function TestimonialsFields() {
  const openRow = useOpenRow();
  return (
    <>
      <TextField<Testimonials> name="eyebrow" label="Label above the heading" />
      <TextField<Testimonials> name="heading" />
      <TextareaField<Testimonials> name="description" rows={2} />
      <ItemList<Testimonials>
        name="testimonials"
        legend="Testimonials"
        singular="Testimonial"
        openRow={openRow}
        summary={({ by, testimonial }) => ({ title: by.split(',')[0] ?? '', detail: testimonial })}
        create={(items) => ({
          tempId: Math.max(-1, ...items.map(({ tempId }) => Number(tempId))) + 1,
          testimonial: '',
          by: '',
          imgSrc: '',
        })}
      >
        {(prefix) => (
          <>
            <TextareaField<Testimonials> name={`${prefix}.testimonial`} label="Testimonial" rows={2} />
            <TextField<Testimonials> name={`${prefix}.by`} label="By" help="Enter the name, a comma and the role." />
            <PictureField<Testimonials>
              name={`${prefix}.imgSrc`}
              label="Picture"
              help="If empty, a portrait is generated from the name."
              folder="testimonials/"
            />
          </>
        )}
      </ItemList>
    </>
  );
}
