import { z } from 'zod';

/** The rules of the contact form, in the order in which its first message is shown. */
export const contactSchema = z.object({
  name: z.string().trim().min(1, 'Name is required').max(100, 'Name must be less than 100 characters'),
  email: z
    .string()
    .trim()
    .check(z.email({ error: 'Invalid email address', abort: true }))
    .max(255, 'Email must be less than 255 characters'),
  message: z.string().trim().min(1, 'Message is required').max(1000, 'Message must be less than 1000 characters'),
});
