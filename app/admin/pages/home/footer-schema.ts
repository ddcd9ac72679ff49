import { z } from 'zod';
import { footerSchema } from '../../../content/pages/footer.ts';

/** Paths, fragments and safe URL schemes. Rejects `javascript:`. */
const URL_PATTERN = /^(\/|#|https?:\/\/|mailto:|tel:)/i;

const url = z
  .string()
  .trim()
  .regex(URL_PATTERN, 'Enter a URL that starts with /, #, https://, http://, mailto: or tel:');

const { information, social, bottom } = footerSchema.shape;

/** Stricter than the read schema: URLs must be safe to click. */
export const footerEditingSchema = footerSchema.extend({
  information: information.extend({ links: z.array(information.shape.links.element.extend({ url })) }),
  social: social.extend({ links: z.array(social.shape.links.element.extend({ url })) }),
  bottom: bottom.extend({ legalLinks: z.array(bottom.shape.legalLinks.element.extend({ url })) }),
});
