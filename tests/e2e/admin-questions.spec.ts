import { createHash } from 'node:crypto';
import { openAdmin } from '../support/admin-session.ts';
import { expect, expectNoAxeViolations, type Site, test } from '../support/e2e.ts';

/** Creates a conversation with a question that the assistant could not answer. */
async function addUnansweredQuestion(site: Site, question: string, reason = 'nothing found'): Promise<void> {
  const { data } = await site.service.from('conversations').insert({}).select('id').single().throwOnError();
  const message = { conversation_id: data?.id, role: 'user', content: question };
  await site.service.from('chat_messages').insert(message).throwOnError();
  await site.service
    .rpc('record_unanswered_question', {
      _conversation_id: data?.id,
      _hash: createHash('sha256').update(question).digest('hex'),
      _reason: reason,
    })
    .throwOnError();
}

test('An unanswered question can be dismissed, restored and answered', async ({ page, site }) => {
  await openAdmin(page, site, '/admin/conversations/unanswered');
  await expect(page.getByText('No unanswered questions')).toBeVisible();
  await addUnansweredQuestion(site, 'Are you ISO certified?');
  await addUnansweredQuestion(site, 'are you iso-certified');
  await addUnansweredQuestion(site, 'Do you promise 40 meetings a month?', 'kept back');
  await page.reload();
  const cards = page.getByRole('article');
  await expect(cards).toHaveCount(2);
  await expect(cards.first()).toContainText('asked 2 times');
  await expect(cards.last()).toContainText('a claim was left out');
  await cards.first().getByText('Also asked as').click();
  await expect(cards.first().getByRole('link', { name: /^Transcript from/ })).toHaveCount(2);
  await expectNoAxeViolations(page);

  await page.getByRole('button', { name: 'Dismiss are you iso-certified' }).click();
  await expect(cards).toHaveCount(1);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(cards).toHaveCount(2);

  await page.getByRole('link', { name: 'Draft an answer to are you iso-certified' }).click();
  await expect(page.getByLabel('Question')).toHaveValue('are you iso-certified');
  await expect(page.getByRole('combobox', { name: 'Status' })).toHaveValue('draft');
  await page.getByRole('button', { name: 'Create' }).click();
  await expect(page).toHaveURL('/admin/faq');
  await expect(page.getByText('No answer yet')).toBeVisible();
  const { data } = await site.service.from('faq').select('question, status').throwOnError();
  expect(data).toEqual([{ question: 'are you iso-certified', status: 'draft' }]);

  // Publishing the answer removes the group. The group reappears when a visitor asks the question again.
  await page.goto('/admin/conversations/unanswered');
  await expect(cards).toHaveCount(2);
  const answer = { status: 'published', answer: 'Yes, since 2024.' };
  await site.service.from('faq').update(answer).eq('question', 'are you iso-certified').throwOnError();
  await page.reload();
  await expect(cards).toHaveCount(1);
  await expect(cards).toContainText('40 meetings');
  await addUnansweredQuestion(site, 'Are you ISO certified');
  await page.reload();
  await expect(cards).toHaveCount(2);
  await expect(cards.filter({ hasText: 'ISO' })).toContainText('asked once');
});

test('The dashboard shows a failed check, and an answer makes it pass', async ({ page, site }) => {
  await openAdmin(page, site, '/admin/conversations/checks');
  await page.getByRole('button', { name: 'New check' }).click();
  const dialog = page.getByRole('dialog', { name: 'New check' });
  await dialog.getByLabel('Question').fill('Can we cancel at any time?');
  await dialog.getByRole('button', { name: 'Save and run' }).click();
  await expect(dialog.getByText('Enter at least one phrase that the answer must or must not mention')).toBeVisible();
  await dialog.getByLabel('The answer must mention').fill('thirty days\n\n/contact');
  await dialog.getByLabel('The answer must not mention').fill('ninety');
  await dialog.getByRole('button', { name: 'Save and run' }).click();
  await expect(dialog).toBeHidden();
  const card = page.getByRole('article');
  await expect(card).toContainText('Wrong');
  await expect(card).toContainText('“thirty days” is missing');
  await card.getByText('The answer', { exact: true }).click();
  await expectNoAxeViolations(page);

  await page.getByRole('link', { name: 'Dashboard' }).first().click();
  await page.getByRole('link', { name: 'One check of the test box failed' }).click();

  await site.service
    .from('faq')
    .insert({ question: 'Can we cancel at any time?', answer: 'Yes, with **thirty** days.', status: 'published' })
    .throwOnError();
  await page.getByRole('button', { name: 'Run now' }).click();
  await expect(page.getByText('The test box has run: all checks passed')).toBeVisible();
  await expect(card).toContainText('Right');
});

test('An admin reads the questions, the sources of the answers, and the unanswered questions', async ({
  page,
  site,
}) => {
  await addUnansweredQuestion(site, 'Are you in Tromsø?');
  const { data } = await site.service.from('conversations').insert({}).select('id').single().throwOnError();
  const messages = Array.from({ length: 24 }, (_, index) => [
    { role: 'user', content: `What does service ${index} cost?` },
    { role: 'assistant', content: `From 900 NOK.\n\nSources:\n\n- [Outreach Systems](/services)` },
  ]).flat();
  for (const [index, message] of messages.entries()) {
    const created_at = new Date(Date.now() + index * 1000).toISOString();
    await site.service
      .from('chat_messages')
      .insert({ conversation_id: data?.id, ...message, created_at })
      .throwOnError();
  }
  await openAdmin(page, site, '/admin/conversations/asked');
  const cards = page.getByRole('article');
  await expect(cards).toHaveCount(24);
  await expect(cards.first()).toContainText('What does service 23 cost?');
  await expect(cards.first().getByRole('link', { name: 'Outreach Systems' })).toHaveAttribute('href', '/services');
  await expect(page.getByText(/Last 30 days: \d+ asked, 24 answered from a page, \d+ without an answer/)).toBeVisible();
  await page.getByRole('button', { name: 'Older questions' }).click();
  await expect(cards.filter({ hasText: 'Are you in Tromsø?' })).toContainText('no answer');
  await expectNoAxeViolations(page);
  await page.getByLabel('Search questions').fill('tromsø');
  await expect(cards).toHaveCount(1);
  await page.getByLabel('Search questions').fill('an unknown question');
  await expect(page.getByText('No questions found')).toBeVisible();
});
