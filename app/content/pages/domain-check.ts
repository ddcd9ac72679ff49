import { z } from 'zod';

export const domainCheckSchema = z.object({ heading: z.string(), description: z.string() });

export type DomainCheckTexts = z.infer<typeof domainCheckSchema>;

export const domainCheckDefaults: DomainCheckTexts = {
  heading: 'Check your domain',
  description:
    'Emails that cannot be verified as yours land in spam. Three DNS records verify them: SPF, DKIM and DMARC.',
};
