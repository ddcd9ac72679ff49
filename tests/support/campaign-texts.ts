import type { TestClient } from './clients.ts';

interface TextOptions {
  title: string;
  text: string;
  step: number;
  /** Approval that receives the next version. Undefined to create an approval. */
  id?: string;
  /** Number of the version that is approved. */
  number?: number;
}

/** Requests approval of a text, approves it, and lets the campaign send it at a step. @returns the id of the approval */
export async function approveText(
  { id: _client_id, campaign, member, worker }: TestClient,
  { title, text, step, id, number = 1 }: TextOptions,
): Promise<string> {
  const request = { _client_id, _title: title, _text: text, ...(id && { _approval_id: id }) };
  const { data: _approval_id } = await worker.client.rpc('ask_for_approval', request).throwOnError();
  const decision = { _client_id, _approval_id, _number: number, _verdict: 'yes', _comment: '' };
  await member.client.rpc('decide_approval', decision).throwOnError();
  const campaignText = { _client_id, _campaign_id: campaign, _approval_id, _is_sent: true, _step: step };
  await worker.client.rpc('set_campaign_text', campaignText).throwOnError();
  return _approval_id;
}
