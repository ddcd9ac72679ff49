import { z } from 'zod';
import { EMAIL_PATTERN } from '../ui/lib/email-pattern.ts';
import { oneLine } from '../ui/lib/one-line.ts';

/** Details for booking a call. The database enforces the same rules. */
export const detailsSchema = z.object({
  name: oneLine.min(1, 'Name is required').max(100, 'Name must be at most 100 characters'),
  email: z
    .string()
    .trim()
    .check(z.email({ pattern: EMAIL_PATTERN, error: 'Invalid email address', abort: true }))
    .max(255, 'Email must be at most 255 characters'),
  phone: z
    .string()
    .trim()
    .regex(/^[0-9+()./ -]{0,40}$/, 'Enter a valid phone number, such as +47 22 00 00 00'),
  message: z.string().trim().max(1000, 'Message must be at most 1000 characters'),
});

export const noDetails: z.input<typeof detailsSchema> = { name: '', email: '', phone: '', message: '' };
