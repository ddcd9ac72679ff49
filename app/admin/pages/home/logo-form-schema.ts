import { displayOrder } from '../../../content/schema-fields.ts';
import { logoSchema } from '../../../data/pages/logo-banner.ts';

/** Schema of the dialog of a logo. */
export const logoFormSchema = logoSchema.extend({
  name: logoSchema.shape.name.trim().min(1, 'Company name is required'),
  imageUrl: logoSchema.shape.imageUrl.trim(),
  order: displayOrder,
});
