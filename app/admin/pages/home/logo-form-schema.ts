import { logoSchema } from '../../../content/pages/logo-banner.ts';
import { displayOrder } from '../../../content/schema-fields.ts';

export const logoFormSchema = logoSchema.extend({
  name: logoSchema.shape.name.trim().min(1, 'Company name is required'),
  imageUrl: logoSchema.shape.imageUrl.trim(),
  order: displayOrder,
});
