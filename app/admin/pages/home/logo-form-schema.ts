import { displayOrder } from '../../../content/schema-fields.ts';
import { logoSchema } from '../../../data/pages/logo-banner.ts';

/** What the dialog of a logo accepts. */
export const logoFormSchema = logoSchema.extend({
  name: logoSchema.shape.name.trim().min(1, 'Company name is required'),
  imageUrl: logoSchema.shape.imageUrl.trim(),
  order: displayOrder,
});
