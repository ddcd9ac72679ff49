/** Rules of addresses and passwords. Apart, because sign-in loads them, and zod with them, with the first touch of a field. */
import { z } from 'zod';
import { EMAIL_PATTERN } from '../ui/lib/email-pattern.ts';

const email = z
  .string()
  .trim()
  .max(255, 'Email must be less than 255 characters')
  .pipe(z.email({ pattern: EMAIL_PATTERN, error: 'Invalid email address' }));

/** Rules in the order in which they are told; the first that fails is shown. */
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

/** Builds the schema for a change of the password; the present one may be left out if it is not asked for. */
export function passwordChangeSchema(asksCurrent: boolean) {
  const current = asksCurrent ? z.string().min(1, 'Current password is required') : z.string();
  return z.object({ current, password });
}

export type Credentials = z.infer<typeof credentialsSchema>;
export type Registration = z.infer<typeof signUpSchema>;

/** The roles that a person can choose at sign-up. */
export type RoleChoice = Registration['role'];
