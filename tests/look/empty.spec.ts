import { openAdmin } from '../support/admin-session.ts';
import { test } from '../support/e2e.ts';
import { ADMIN_SCREENS } from '../support/screens.ts';
import { captureScreens } from './looks.ts';

test.use({ starterContent: false });
test.beforeEach(() => test.setTimeout(1_800_000));

test('takes screenshots of an empty site', async ({ page, site }) => {
  await captureScreens(page, ['/', '/projects', '/news'], 'empty-');
  await openAdmin(page, site, '/admin/posts');
  await captureScreens(
    page,
    ADMIN_SCREENS.filter((path) => !/new$|settings|pages\//.test(path)),
    'empty-',
  );
});
