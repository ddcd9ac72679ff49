/**
 * Submits contact details from the chat, the contact form or the newsletter form. Each form has a setting that turns it
 * on. The database checks the setting again.
 */
import { requiresConfirmation } from '../api/error-code.ts';
import { IDEMPOTENCY_HEADER, idempotencyKey } from '../api/idempotency-key.ts';
import { publicApi } from '../api/visitor-api.ts';
import { CONFIRMATION_HEADER, requestCaptchaConfirmation } from '../ui/captcha/captcha.ts';

export interface LeadInput {
  source: 'contact' | 'assistant';
  email: string;
  name?: string;
  phone?: string;
  /** Preferred time for a call, as free text. */
  callTime?: string;
  message?: string;
  /** Title of the selected service. */
  service?: string | null;
  /** Value of the honeypot field. */
  website: string;
}

/**
 * Submits a lead. If the database requires a captcha and the visitor does not solve it, the visitor gets a confirmation
 * link by email. The conversation id proves that the visitor started the chat.
 * @returns `mailed` if the lead is stored only after the visitor opens the link within 15 minutes
 * @throws PostgrestError, CaptchaClosedError. `rejectionMessage` returns the message for visitors
 */
export async function submitLead(lead: LeadInput, conversationId?: string): Promise<'submitted' | 'mailed'> {
  const api = await publicApi();
  const parameters = {
    _source: lead.source,
    _email: lead.email,
    _name: lead.name ?? '',
    _phone: lead.phone ?? '',
    _call_time: lead.callTime ?? '',
    _message: lead.message ?? '',
    _service: lead.service ?? '',
    _page: window.location.pathname,
    _website: lead.website,
  };
  const call = (name: 'submit_lead' | 'hold_lead', proof?: string) => {
    const request = api.rpc(name, parameters).setHeader(IDEMPOTENCY_HEADER, idempotencyKey(parameters));
    if (proof) request.setHeader(CONFIRMATION_HEADER, proof);
    return conversationId ? request.setHeader('x-conversation-id', conversationId) : request;
  };
  if (await isAccepted(call('submit_lead'))) return 'submitted';
  const proof = await requestCaptchaConfirmation(
    'We are receiving many messages. Complete this check to send yours immediately.',
  );
  if (proof && (await isAccepted(call('submit_lead', proof)))) return 'submitted';
  await call('hold_lead').throwOnError();
  return 'mailed';
}

/** @returns false if the database requires a captcha */
async function isAccepted(request: { throwOnError(): PromiseLike<unknown> }): Promise<boolean> {
  try {
    await request.throwOnError();
    return true;
  } catch (error) {
    if (requiresConfirmation(error)) return false;
    throw error;
  }
}

/**
 * Confirms a lead with the token from the email.
 *
 * @returns true if the token is valid
 */
export async function confirmLead(token: string): Promise<boolean> {
  const api = await publicApi();
  const { data } = await api.rpc('confirm_lead', { _token: token }).throwOnError();
  return data;
}

/** Returns whether the conversation already has a lead. */
export async function hasLead(conversationId: string): Promise<boolean> {
  const api = await publicApi();
  const { data } = await api.rpc('has_chat_lead').setHeader('x-conversation-id', conversationId).throwOnError();
  return data;
}

/**
 * Requests the confirmation email.
 *
 * @throws the same errors as submitLead
 */
export async function subscribeToNewsletter(email: string, website: string): Promise<void> {
  const api = await publicApi();
  const parameters = { _email: email, _website: website };
  const request = api.rpc('subscribe_to_newsletter', parameters);
  await request.setHeader(IDEMPOTENCY_HEADER, idempotencyKey(parameters)).throwOnError();
}

/** @returns true if the token is valid */
export async function confirmNewsletter(token: string): Promise<boolean> {
  const api = await publicApi();
  const { data } = await api.rpc('confirm_newsletter', { _token: token }).throwOnError();
  return data;
}

/** Unsubscribes. Has no effect if the token is unknown. */
export async function unsubscribeFromNewsletter(token: string): Promise<void> {
  const api = await publicApi();
  await api.rpc('unsubscribe_from_newsletter', { _token: token }).throwOnError();
}
