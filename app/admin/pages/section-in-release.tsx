import { useFormContext } from 'react-hook-form';
import { readSectionContent } from '../../data/pages/read.ts';
import { type PageSlug, type SectionContent, type SectionName, sectionOf } from '../../data/pages/sections.ts';
import { textForRelease } from '../../data/releases/releases.ts';
import { ChangeForm } from '../releases/change-form.tsx';
import { EditedChange } from '../releases/edited-change.tsx';
import { SaveToRelease } from '../releases/save-to-release.tsx';
import { LivePreview } from './live-preview.tsx';
import type { SectionEditorProps } from './section-editor.tsx';

interface SaveSectionToReleaseProps {
  page: string;
  name: string;
  /** Version that was opened. */
  version: string;
}

/** Saves the section of the surrounding form to a release; the form goes back to what is on the site. */
export function SaveSectionToRelease({ page, name, version }: SaveSectionToReleaseProps) {
  const { reset } = useFormContext();
  return (
    <SaveToRelease
      one="section"
      changeOf={(checked) =>
        textForRelease({
          kind: 'page_content',
          itemId: `${page}/${name}`,
          key: { page_slug: page, section_name: name },
          values: { content: JSON.stringify(checked), content_type: 'json' },
          version,
        })
      }
      onSaved={() => reset()}
    />
  );
}

interface SectionInReleaseProps<Page extends PageSlug, Name extends SectionName<Page>>
  extends SectionEditorProps<Page, Name> {
  releaseId: string;
}

/** The form of a section as it waits in a release, beside the section itself. */
export function SectionInRelease<Page extends PageSlug, Name extends SectionName<Page>>(
  props: SectionInReleaseProps<Page, Name>,
) {
  const { releaseId, page, name, Fields, preview } = props;
  const schema = props.schema ?? sectionOf(page, name).schema;
  return (
    <EditedChange releaseId={releaseId} where={{ kind: 'page_content', item_id: `${page}/${name}` }}>
      {(change, release) => (
        <ChangeForm
          change={change}
          release={release}
          schema={schema}
          values={readSectionContent(page, name, String(change.data?.['content'])) as Record<string, unknown>}
          toData={(checked) => ({ page_slug: page, section_name: name, content: JSON.stringify(checked) })}
          aside={<LivePreview<SectionContent<Page, Name>> draw={preview} notice={() => null} />}
        >
          <div className="grid grid-cols-1 gap-6">
            <Fields />
          </div>
        </ChangeForm>
      )}
    </EditedChange>
  );
}
