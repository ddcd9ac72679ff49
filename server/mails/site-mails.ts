/** Renders queued emails with the templates and branding of the site. */
import type { Mails, Queryable } from '@signalfjord/backend';
import { calendarFile } from '../../supabase/functions/booking-calendar/calendar-file.ts';
import { createBrandingReader } from './mail-branding.ts';
import { contactEmail, siteName } from './site-name.ts';
import { LOGO_ID, type MailVariables, mailedPath, renderMail, TEMPLATE_NAMES, type TemplateName } from './templates.ts';

export const SITE_MAILS: Mails = {
  readSenderName: siteName,
  createRenderer(database, files) {
    const readBranding = createBrandingReader(database, files);
    return async ({ recipient, template, variables: queued }, siteUrl) => {
      if (!isTemplateName(template)) throw new Error(`Unknown mail template ${template}`);
      const variables = await readableVariables(database, recipient, queued);
      if (!variables) return null;
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

/** Returns the variables without clients that the recipient has lost access to, or null if nothing is left. */
async function readableVariables(
  database: Queryable,
  recipient: string,
  queued: object,
): Promise<MailVariables | null> {
  // SQL functions queue the variables of each template.
  const { rows } = await database.query<{ variables: MailVariables | null }>(
    'select private.readable_mail($1, $2) as variables',
    [recipient, queued],
  );
  return rows[0]?.variables ?? null;
}

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
