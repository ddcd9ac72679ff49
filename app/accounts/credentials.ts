/**
 * Validation of addresses and passwords. In a separate file, because the sign-in page loads this code and zod on the
 * first focus of a field.
 */
import { z } from 'zod';
import { EMAIL_PATTERN } from '../ui/lib/email-pattern.ts';

const email = z
  .string()
  .trim()
  .max(255, 'Email must be less than 255 characters')
  .pipe(z.email({ pattern: EMAIL_PATTERN, error: 'Invalid email address' }));

/** Rules in display order. Only the first failed rule is shown. */
const password = z
  .string()
  .min(8, 'Password must be at least 8 characters')
  .max(128, 'Password must be less than 128 characters')
  .regex(/[A-Z]/, 'Password must contain at least one uppercase letter')
  .regex(/[a-z]/, 'Password must contain at least one lowercase letter')
  .regex(/[0-9]/, 'Password must contain at least one number');

export const emailSchema = z.object({ email });
export const credentialsSchema = z.object({ email, password });
export const signUpSchema = credentialsSchema.extend({ role: z.enum(['client', 'team']) });
export const newPasswordSchema = z.object({ password });

/** Schema of a password change. The current password is optional unless required. */
export function passwordChangeSchema(requiresCurrent: boolean) {
  const current = requiresCurrent ? z.string().min(1, 'Current password is required') : z.string();
  return z.object({ current, password });
}

export type Credentials = z.infer<typeof credentialsSchema>;
export type Registration = z.infer<typeof signUpSchema>;

export type RoleChoice = Registration['role'];
