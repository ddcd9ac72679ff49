/** Default texts of account mails: an instruction, a link and a code. */
import type { Mails } from '../application.ts';
import { escapeMarkup } from '../http/escape-markup.ts';
import type { AuthTemplate, QueuedMail } from './mail-queue.ts';

interface PlainMail {
  subject: string;
  instruction: string;
  /** `type` parameter of the link to GET /auth/v1/verify; null if the mail contains only a code. */
  type: string | null;
}

const MAILS: Readonly<Record<AuthTemplate, PlainMail>> = {
  confirmation: { subject: 'Confirm your email address', instruction: 'Confirm your email address.', type: 'signup' },
  recovery: { subject: 'Reset your password', instruction: 'Choose a new password.', type: 'recovery' },
  magic_link: { subject: 'Your sign-in link', instruction: 'Sign in.', type: 'magiclink' },
  email_change: { subject: 'Confirm your new email address', instruction: 'Confirm the change.', type: 'email_change' },
  invite: { subject: 'You have been invited', instruction: 'Accept the invitation.', type: 'invite' },
  reauthentication: { subject: 'Your code', instruction: 'Enter this code to continue.', type: null },
};

export const PLAIN_MAILS: Mails = {
  readSenderName: async () => 'Accounts',
  createRenderer:
    () =>
    async ({ template, variables }, origin) => {
      if (!isAuthTemplate(template)) throw new Error(`Unknown mail template ${template}`);
      const { subject, instruction, type } = MAILS[template];
      const linkLines = type ? [linkUrl(type, variables, origin), 'Or enter this code:'] : [];
      const paragraphs = [instruction, ...linkLines, String(variables['Token'])];
      const html = paragraphs.map((line) => `<p>${toLink(line)}</p>`).join('\n');
      return {
        subject,
        text: `${paragraphs.join('\n\n')}\n`,
        html: `<!doctype html>\n<title>${subject}</title>\n${html}\n`,
      };
    },
};

function linkUrl(type: string, { TokenHash, RedirectTo }: QueuedMail['variables'], origin: string): string {
  const query = new URLSearchParams({ token: String(TokenHash), type, redirect_to: String(RedirectTo ?? origin) });
  return `${origin}/auth/v1/verify?${query}`;
}

function toLink(line: string): string {
  const text = escapeMarkup(line);
  return /^https?:/.test(line) ? `<a href="${text}">${text}</a>` : text;
}

function isAuthTemplate(name: string): name is AuthTemplate {
  return Object.hasOwn(MAILS, name);
}
