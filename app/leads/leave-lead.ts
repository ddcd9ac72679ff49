/**
 * Sends what visitors leave: an address in the chat, a message of the contact form, a subscription. Called only if the
 * setting for it is on; the functions of the database ask it again.
 */
import { wantsProof } from '../api/error-code.ts';
import { IDEMPOTENCY_HEADER, idempotencyKey } from '../api/idempotency-key.ts';
import { publicApi } from '../api/visitor-api.ts';
import { captchaProof, PROOF_HEADER } from '../ui/captcha/captcha.ts';

export interface LeftAddress {
  source: 'contact' | 'assistant';
  email: string;
  name?: string;
  phone?: string;
  /** Time at which they want to be called, in their words. */
  callTime?: string;
  message?: string;
  /** Title of the service that they chose. */
  service?: string | null;
  /** Content of the field that people do not see. */
  website: string;
}

/**
 * Leaves it, or has the database hold it where that asks for proof and no captcha gives one. Of a chat the id is what makes
 * it theirs.
 * @returns `mailed` when it waits for 15 minutes until they open the link in their mail
 * @throws PostgrestError, CaptchaClosedError; `refusalOf` has its sentence for visitors
 */
export async function takeLead(left: LeftAddress, conversationId?: string): Promise<'taken' | 'mailed'> {
  const api = await publicApi();
  const parameters = {
    _source: left.source,
    _email: left.email,
    _name: left.name ?? '',
    _phone: left.phone ?? '',
    _call_time: left.callTime ?? '',
    _message: left.message ?? '',
    _service: left.service ?? '',
    _page: window.location.pathname,
    _website: left.website,
  };
  const call = (name: 'take_lead' | 'hold_lead', proof?: string) => {
    const request = api.rpc(name, parameters).setHeader(IDEMPOTENCY_HEADER, idempotencyKey(parameters));
    if (proof) request.setHeader(PROOF_HEADER, proof);
    return conversationId ? request.setHeader('x-conversation-id', conversationId) : request;
  };
  if (await isTaken(call('take_lead'))) return 'taken';
  const proof = await captchaProof('Many people are writing at the moment. With this your message arrives at once.');
  if (proof && (await isTaken(call('take_lead', proof)))) return 'taken';
  await call('hold_lead').throwOnError();
  return 'mailed';
}

/** @returns false when the database asks for proof */
async function isTaken(request: { throwOnError(): PromiseLike<unknown> }): Promise<boolean> {
  try {
    await request.throwOnError();
    return true;
  } catch (error) {
    if (wantsProof(error)) return false;
    throw error;
  }
}

/** Hands over the message that the link of a mail holds. @returns whether the link was good */
export async function confirmLead(token: string): Promise<boolean> {
  const api = await publicApi();
  const { data } = await api.rpc('confirm_lead', { _token: token }).throwOnError();
  return data;
}

/** Asks whether an address was left in the conversation already. */
export async function hasLeftAddress(conversationId: string): Promise<boolean> {
  const api = await publicApi();
  const { data } = await api.rpc('has_left_address').setHeader('x-conversation-id', conversationId).throwOnError();
  return data;
}

/** Asks for a mail with a link to confirm. @throws as takeLead */
export async function subscribeToNewsletter(email: string, website: string): Promise<void> {
  const api = await publicApi();
  const parameters = { _email: email, _website: website };
  const request = api.rpc('subscribe_to_newsletter', parameters);
  await request.setHeader(IDEMPOTENCY_HEADER, idempotencyKey(parameters)).throwOnError();
}

/** @returns whether the link was good */
export async function confirmNewsletter(token: string): Promise<boolean> {
  const api = await publicApi();
  const { data } = await api.rpc('confirm_newsletter', { _token: token }).throwOnError();
  return data;
}

/** Ends the subscription of the link, if there is one. */
export async function unsubscribeFromNewsletter(token: string): Promise<void> {
  const api = await publicApi();
  await api.rpc('unsubscribe_from_newsletter', { _token: token }).throwOnError();
}
