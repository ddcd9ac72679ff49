import { z } from 'zod';
import {
  displayOrder,
  longText,
  optionalText,
  publishedFirst,
  rejectMissingPictures,
  requiredText,
  slug,
  startingWith,
} from '../schema-fields.ts';

const fields = z.object({
  title: requiredText('Title'),
  slug,
  icon_name: optionalText('Icon name', 100),
  short_description: optionalText('Short description', 5000),
  long_description: longText('Long description'),
  timeline: optionalText('Timeline'),
  pricing: optionalText('Pricing'),
  deliverables: startingWith([], z.array(requiredText('A deliverable'))),
  status: publishedFirst,
  display_order: displayOrder,
});

export const serviceSchema = rejectMissingPictures(fields, 'long_description');

export type ServiceForm = z.input<typeof serviceSchema>;
