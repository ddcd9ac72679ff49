import { z } from 'zod';
import { displayOrder, imageUrl, optionalText, publishedFirst, requiredText } from '../schema-fields.ts';

export const teamMemberSchema = z.object({
  name: requiredText('Name'),
  position: optionalText('Position'),
  bio: optionalText('Bio', 5000),
  avatar_url: imageUrl,
  status: publishedFirst,
  display_order: displayOrder,
});

export type TeamMemberForm = z.input<typeof teamMemberSchema>;
