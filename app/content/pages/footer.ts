import { z } from 'zod';
import { DEFAULT_ADDRESS } from '../../../supabase/functions/ai-chat/built-in-texts.ts';

const linkSchema = z.object({ label: z.string(), url: z.string() });

const SOCIAL_PLATFORMS = ['facebook', 'twitter', 'instagram', 'linkedin'] as const;

const socialLinkSchema = z.object({ platform: z.enum(SOCIAL_PLATFORMS), url: z.string(), enabled: z.boolean() });

export const footerSchema = z.object({
  /** Call to action above the footer of About, Services and Projects. */
  closing: z.object({ heading: z.string(), description: z.string(), bookText: z.string(), writeText: z.string() }),
  newsletter: z.object({ heading: z.string(), description: z.string(), placeholder: z.string() }),
  information: z.object({ title: z.string(), links: z.array(linkSchema) }),
  /** If `email` is empty, the contact email of the settings is used. */
  contact: z.object({ title: z.string(), address: z.array(z.string()), email: z.string() }),
  social: z.object({ title: z.string(), links: z.array(socialLinkSchema) }),
  bottom: z.object({ copyright: z.string(), legalLinks: z.array(linkSchema) }),
});

export type Footer = z.infer<typeof footerSchema>;
export type SocialLink = z.infer<typeof socialLinkSchema>;

export const footerDefaults: Footer = {
  closing: {
    heading: 'Which number do you want to change?',
    description: 'In thirty minutes we tell you which system moves it, what that takes, and whether it is worth it.',
    bookText: 'Book a call',
    writeText: 'Write to us',
  },
  newsletter: {
    heading: 'Stay Connected',
    description: 'One letter a month: what we tried in outbound, what worked, and what we stopped doing.',
    placeholder: 'Enter your email',
  },
  information: {
    title: 'Information',
    links: [
      { label: 'Home', url: '/' },
      { label: 'About Us', url: '/about' },
      { label: 'Services', url: '/services' },
      { label: 'Projects', url: '/projects' },
      { label: 'Contact', url: '/contact' },
    ],
  },
  contact: {
    title: 'Contact',
    address: DEFAULT_ADDRESS,
    email: '',
  },
  social: {
    title: 'Follow us',
    links: [
      { platform: 'facebook', url: 'https://www.facebook.com/', enabled: false },
      { platform: 'twitter', url: 'https://x.com/', enabled: false },
      { platform: 'instagram', url: 'https://www.instagram.com/', enabled: true },
      { platform: 'linkedin', url: 'https://www.linkedin.com/', enabled: false },
    ],
  },
  bottom: {
    copyright: '© 2025 {site}. All rights reserved.',
    legalLinks: [
      { label: 'Privacy Policy', url: '/privacy' },
      { label: 'Terms of Service', url: '/terms' },
      { label: 'Cookie Settings', url: '/cookies' },
    ],
  },
};
