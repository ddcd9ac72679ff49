import type { Booking } from '../../../content/pages/booking.ts';
import { TextareaField, TextField } from '../../../ui/form/text-field.tsx';

export function BookingFields() {
  return (
    <>
      <TextField<Booking> name="heading" />
      <TextareaField<Booking> name="description" />
      <TextareaField<Booking>
        name="calendlyPlaceholder"
        label="Calendly placeholder"
        rows={2}
        help="The https URL of a scheduling page to embed, or a text to show in its place."
      />
    </>
  );
}
