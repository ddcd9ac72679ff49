import { sectionDocument } from '../../content/pages/section-document.ts';
import type { PageSlug, SectionContent, SectionName } from '../../content/pages/sections.ts';
import { ChangeForm } from '../../editing/change-form.tsx';
import { EditedChange } from '../../editing/edited-change.tsx';
import { LivePreview } from './live-preview.tsx';
import type { SectionEditorProps } from './section-editor-props.ts';

interface SectionInReleaseProps<Page extends PageSlug, Name extends SectionName<Page>>
  extends SectionEditorProps<Page, Name> {
  releaseId: string;
}

/** Renders the form of a section's change in a release, beside its preview. */
export function SectionInRelease<Page extends PageSlug, Name extends SectionName<Page>>(
  props: SectionInReleaseProps<Page, Name>,
) {
  const { releaseId, page, name, Fields, preview, desktopWidth, schema } = props;
  return (
    <EditedChange releaseId={releaseId} filter={{ kind: 'page_content', item_id: `${page}/${name}` }}>
      {(change, release) => (
        <ChangeForm
          change={change}
          release={release}
          document={sectionDocument(page, name, schema)}
          aside={
            <LivePreview<SectionContent<Page, Name>> desktopWidth={desktopWidth} draw={preview} notice={() => null} />
          }
        >
          <div className="grid grid-cols-1 gap-6">
            <Fields />
          </div>
        </ChangeForm>
      )}
    </EditedChange>
  );
}
