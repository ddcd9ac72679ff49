/** Renders queued emails with the templates and branding of the site. */
import type { Mails } from '@signalfjord/backend';
import { calendarFile } from '../../supabase/functions/booking-calendar/calendar-file.ts';
import { createBrandingReader } from './mail-branding.ts';
import { contactEmail, siteName } from './site-name.ts';
import { LOGO_ID, type MailVariables, mailedPath, renderMail, TEMPLATE_NAMES, type TemplateName } from './templates.ts';

export const SITE_MAILS: Mails = {
  readSenderName: siteName,
  createRenderer(database, files) {
    const readBranding = createBrandingReader(database, files);
    return async ({ template, variables: queued }, siteUrl) => {
      if (!isTemplateName(template)) throw new Error(`Unknown mail template ${template}`);
      // SQL functions queue the variables of each template.
      const variables = queued as unknown as MailVariables;
      const branding = await readBranding();
      const Link = invitationLink(siteUrl, variables);
      const mail = await renderMail(template, { ...variables, SiteURL: siteUrl, Link }, branding);
      const { ReplyTo: replyTo = await contactEmail(database), UnsubscribeToken, Calendar, Token } = variables;
      return {
        ...mail,
        replyTo,
        picture: branding.logo ? { id: LOGO_ID, png: branding.logo.png } : undefined,
        unsubscribeUrl:
          UnsubscribeToken &&
          `${siteUrl}/functions/v1/newsletter-unsubscribe?token=${encodeURIComponent(UnsubscribeToken)}`,
        calendar: Calendar && {
          method: Calendar.method,
          content: calendarFile([Calendar], {
            siteName: branding.siteName,
            bookingUrl: Token && `${siteUrl}/booking/${Token}`,
          }),
        },
      };
    };
  },
};

/**
 * Returns the link of an invitation queued by SQL. It signs in a new user or opens the page for an existing account.
 */
function invitationLink(siteUrl: string, { RedirectTo, TokenHash }: MailVariables): string | undefined {
  if (!RedirectTo?.startsWith('/')) return undefined;
  if (!TokenHash) return `${siteUrl}${mailedPath(RedirectTo)}`;
  const query = new URLSearchParams({ token_hash: TokenHash, type: 'invite', redirect_to: `${siteUrl}${RedirectTo}` });
  return `${siteUrl}/auth/confirm?${query}`;
}

function isTemplateName(name: string): name is TemplateName {
  return TEMPLATE_NAMES.some((template) => template === name);
}
