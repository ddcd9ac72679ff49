import { fieldLabel } from '../../ui/form/field-label.ts';
import type { ContentVersion } from './content-versions.ts';

const ACTIONS = {
  before: 'State before the first stored change',
  created: 'Created',
  restored: 'Restored from trash',
};

/** Describes the change of a version, such as 'Changed: Title, Content'. */
export function actionLabel(kind: string, { action, changes }: ContentVersion): string {
  if (action === 'deleted') return kind === 'page_content' ? 'Reset to default' : 'Deleted';
  if (action !== 'changed') return ACTIONS[action];
  const hasSingleValue = kind === 'page_content' || kind === 'site_settings';
  const columns = changes.filter((column) => column !== 'display_order');
  return hasSingleValue || columns.length === 0 ? 'Changed' : `Changed: ${columns.map(fieldLabel).join(', ')}`;
}

export function authorLabel({ author }: ContentVersion): string {
  return author ?? 'A script or a deleted account';
}
