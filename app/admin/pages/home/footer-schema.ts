import { z } from 'zod';
import { footerSchema } from '../../../content/pages/footer.ts';

/** Paths, places on the page, and addresses that lead somewhere: never a script. */
const ADDRESS = /^(\/|#|https?:\/\/|mailto:|tel:)/i;

const address = z
  .string()
  .trim()
  .regex(ADDRESS, 'Enter an address that starts with /, #, https://, http://, mailto: or tel:');

const { information, social, bottom } = footerSchema.shape;

/** Schema of what an editor may save: as what is read, with addresses that are safe to click. */
export const footerEditingSchema = footerSchema.extend({
  information: information.extend({ links: z.array(information.shape.links.element.extend({ url: address })) }),
  social: social.extend({ links: z.array(social.shape.links.element.extend({ url: address })) }),
  bottom: bottom.extend({ legalLinks: z.array(bottom.shape.legalLinks.element.extend({ url: address })) }),
});
