import { openAdmin } from '../support/admin-session.ts';
import { expect, test } from '../support/e2e.ts';

test('Broken links are listed with their locations until they are fixed', async ({ page, site }) => {
  const { data: post } = await site.service
    .from('posts')
    .insert({
      title: 'With a dead link',
      slug: 'with-a-dead-link',
      status: 'published',
      content: `[gone](${site.url}/nowhere), [draft](/news/not-yet), [good](/services) and [other](https://other.example/x)`,
    })
    .select()
    .single()
    .throwOnError();
  await site.service.from('posts').insert({ title: 'Not yet', slug: 'not-yet', status: 'draft' }).throwOnError();

  await openAdmin(page, site, '/admin/posts');
  await page.getByRole('link', { name: 'Find dead links' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Dead Links');
  const card = page.getByRole('main').getByRole('listitem').filter({ hasText: 'With a dead link' }).first();
  await expect(card.getByRole('listitem')).toHaveCount(2);
  await expect(card).toContainText('/nowhere');
  await expect(card).toContainText('This item is a draft, so visitors cannot see it.');
  await card.getByRole('link', { name: 'Post "With a dead link"' }).click();
  await expect(page).toHaveURL(`/admin/posts/${post.id}/edit`);

  await site.service.from('posts').update({ content: '[good](/services)' }).eq('id', post.id).throwOnError();
  await page.goto('/admin/links');
  await expect(page.getByRole('status').filter({ hasText: /link/ })).toHaveText('All links work.');
});
