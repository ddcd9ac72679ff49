import { useNavigate } from '@tanstack/react-router';
import type { RefObject } from 'react';
import type { ContentKind, ContentRow } from '../../content/kind.ts';
import { readListSearch } from '../list/list-search.ts';
import { SaveToRelease } from '../releases/save-to-release.tsx';

interface SaveItemToReleaseProps {
  kind: ContentKind;
  /** The version that the form is based on; undefined: the item is new. */
  basis: ContentRow | undefined;
  /** Set to true once it waits in a release. */
  saved: RefObject<boolean>;
}

/** Saves the item of the surrounding form to a release, then leads to the list as saving does. */
export function SaveItemToRelease({ kind, basis, saved }: SaveItemToReleaseProps) {
  const navigate = useNavigate();
  return (
    <SaveToRelease
      one={kind.one}
      changeOf={(checked) => ({
        kind: kind.table,
        itemId: basis?.id ?? crypto.randomUUID(),
        action: basis ? 'update' : 'create',
        data: { ...kind.toRow(checked) },
        base: basis ?? null,
      })}
      onSaved={() => {
        saved.current = true;
        void navigate({ to: '/admin/$kind', params: { kind: kind.path }, search: readListSearch });
      }}
    />
  );
}
