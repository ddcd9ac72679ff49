import { PictureField } from '../../form/picture-field.tsx';
import { TextareaField, TextField } from '../../form/text-field.tsx';
import { ItemList } from '../item-list.tsx';

export function TestimonialsFields() {
  return (
    <>
      <TextField name="heading" />
      <TextareaField name="description" rows={2} />
      <ItemList
        name="testimonials"
        legend="Testimonials"
        one="Testimonial"
        create={(items) => ({
          tempId: Math.max(-1, ...items.map(({ tempId }) => Number(tempId))) + 1,
          testimonial: '',
          by: '',
          imgSrc: '',
        })}
      >
        {(prefix) => (
          <>
            <TextareaField name={`${prefix}.testimonial`} label="Testimonial" rows={2} />
            <TextField name={`${prefix}.by`} label="By" help="Name, then a comma and the role." />
            <PictureField
              name={`${prefix}.imgSrc`}
              label="Picture"
              help="Without one, a portrait is drawn from the name."
              folder="testimonials/"
            />
          </>
        )}
      </ItemList>
    </>
  );
}
