import type { FeatureTiles } from '../../../content/pages/feature-tiles.ts';
import { IconField } from '../../../ui/form/icon-field.tsx';
import { TextareaField, TextField } from '../../../ui/form/text-field.tsx';
import { ItemList, useOpenRow } from '../item-list.tsx';

export function FeatureTilesFields() {
  const openRow = useOpenRow();
  return (
    <>
      <TextField<FeatureTiles> name="heading" help="Read aloud by screen readers. It is not visible." />
      <ItemList<FeatureTiles>
        name="tiles"
        legend="Tiles"
        singular="Tile"
        openRow={openRow}
        summary={({ title, description }) => ({ title, detail: description })}
        create={() => ({ icon: '', title: '', description: '' })}
      >
        {(prefix) => (
          <>
            <TextField<FeatureTiles> name={`${prefix}.title`} label="Title" />
            <TextareaField<FeatureTiles> name={`${prefix}.description`} label="Description" rows={2} />
            <IconField<FeatureTiles> name={`${prefix}.icon`} />
          </>
        )}
      </ItemList>
    </>
  );
}
