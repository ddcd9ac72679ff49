import { useNavigate } from '@tanstack/react-router';
import { use, useEffect } from 'react';
import { type FieldValues, useFormContext } from 'react-hook-form';
import { titleCased } from '../../api/places/kind-names.ts';
import type { Versioned } from '../../editing/document.ts';
import { DocumentForm, DocumentRelease, SaveBar } from '../../editing/document-form.tsx';
import { PageEditingContext } from '../../editing/page-editing-context.ts';
import { useDocument } from '../../editing/use-document.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { FORM_WIDTH_CLASS } from '../../ui/form/form-columns.tsx';
import { readListSearch } from '../../ui/list/list-search.ts';
import { ScreenHeader } from '../../ui/screen-header.tsx';
import { itemDocument } from '../editing.ts';
import { type ContentKind, isContentRow } from '../kind.ts';
import { ItemActions } from './item-actions.tsx';

interface ContentFormProps {
  kind: ContentKind;
  /** Version that was opened. Undefined for a new item. */
  openedVersion?: Versioned;
  /** Initial values. */
  values: FieldValues;
  /** True to validate on mount, so that missing fields are shown. */
  validatesOnMount?: boolean;
}

/** Form for new and existing items of any kind. On save and cancel, shows the list or closes the panel beside a page. */
export function ContentForm({ kind, openedVersion, values, validatesOnMount }: ContentFormProps) {
  const navigate = useNavigate();
  const pageEditing = use(PageEditingContext);
  const row = openedVersion?.row;
  const editing = useDocument({
    document: itemDocument(kind, typeof row?.['id'] === 'string' ? row['id'] : undefined),
    initial: openedVersion,
    values,
    leave:
      pageEditing?.close ??
      (() => navigate({ to: '/admin/$kind', params: { kind: kind.path }, search: readListSearch })),
  });
  const item = isContentRow(editing.openedVersion?.row) ? editing.openedVersion.row : undefined;
  const { Fields, Below } = kind;
  return (
    <div>
      <DocumentForm
        editing={editing}
        className={`${FORM_WIDTH_CLASS} gap-6`}
        header={
          pageEditing ? (
            item && <ItemActions kind={kind} item={item} />
          ) : (
            <ScreenHeader
              isInline
              title={`${item ? 'Edit' : 'New'} ${titleCased(kind.singular)}`}
              page={item ? `Edit ${kind.singular}: ${item[kind.titleColumn]}` : `New ${kind.singular}`}
              action={item && <ItemActions kind={kind} item={item} />}
            />
          )
        }
        bar={
          <SaveBar label={item ? 'Update' : 'Create'}>
            {!pageEditing && (
              <ButtonLink to="/admin/$kind" params={{ kind: kind.path }} search={readListSearch} variant="secondary">
                Cancel
              </ButtonLink>
            )}
            <DocumentRelease />
          </SaveBar>
        }
      >
        <Fields />
        {validatesOnMount && <ValidateOnMount />}
      </DocumentForm>
      {item && Below && (
        <div className={`${FORM_WIDTH_CLASS} mt-6`}>
          <Below id={item.id} />
        </div>
      )}
    </div>
  );
}

/**
 * Validates the form on mount. It is rendered as a sibling of the lazy-loaded fields, so that the fields are mounted
 * before the first invalid field is focused.
 */
function ValidateOnMount() {
  const { trigger } = useFormContext();
  useEffect(() => void trigger(undefined, { shouldFocus: true }), [trigger]);
  return null;
}
