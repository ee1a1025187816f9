// The dock next to the map: tools, and which layers are shown.

import { Button, Select, Toggle, tipHandlers } from '../ui/button'
import { colourBy, setColourBy } from '../ui/colour-by'
import { Icon } from '../ui/icon'
import { keyLabel } from '../ui/keys'
import { LAYERS, layers, selected, setLayer, setSketch, sketches } from '../ui/selection'
import { driven, release, takeOver } from './hand'
import { savePicture } from './save'
import { fitAll, following } from './stage'
import { TOOLS, take } from './tools'
import { tool } from './tools/tool'
import { follow, zoom } from './view-keys'

/** The layers that robots of this mission can draw. */
function MissionLayers() {
  if (sketches.value.length === 0) return null
  return (
    <fieldset class="layer-list mission-layers">
      <legend>Of this mission</legend>
      {sketches.value.map((layer) => (
        <Toggle
          key={layer.name}
          label={layer.title}
          tip={layer.summary}
          value={layer.on}
          onChange={(value) => setSketch(layer.name, value)}
        />
      ))}
    </fieldset>
  )
}

export function Dock() {
  return (
    <aside class="dock" aria-label="Tools and layers">
      <section aria-labelledby="tools-title">
        <h2 id="tools-title">Tools</h2>
        <div class="tool-list">
          {TOOLS.map((each) => {
            const missing = each.missing?.() ?? null
            return (
              <button
                type="button"
                key={each.id}
                class="tool"
                data-tool={each.id}
                aria-pressed={tool.value === each.id ? 'true' : 'false'}
                aria-keyshortcuts={each.key}
                disabled={missing !== null}
                data-tip={missing ?? each.tip}
                {...tipHandlers}
                onClick={() => take(each.id)}
              >
                <Icon name={each.icon} />
                <span>{each.label}</span>
                <span class="key">{each.key === 'delete' ? 'Del' : keyLabel(each.key)}</span>
              </button>
            )
          })}
          <button
            type="button"
            class="tool"
            aria-pressed={driven.value ? 'true' : 'false'}
            aria-keyshortcuts="t"
            disabled={!selected.value && !driven.value}
            data-tip={driven.value ? 'Release the robot (T)' : 'Drive the selected robot with arrow keys or WASD (T)'}
            {...tipHandlers}
            onClick={() => {
              if (driven.value) release()
              else if (selected.value) takeOver(selected.value.lane, selected.value.robot)
            }}
          >
            <Icon name="hand" />
            <span>{driven.value ? 'Release' : 'Take over'}</span>
            <span class="key">T</span>
          </button>
        </div>
      </section>
      <section aria-labelledby="view-title">
        <h2 id="view-title" class="hidden">
          View
        </h2>
        <div class="view-buttons">
          <Button label="Zoom in" tip="Zoom in (+)" icon="plus" onClick={() => zoom(1.4)} />
          <Button label="Zoom out" tip="Zoom out (-)" icon="minus" onClick={() => zoom(1 / 1.4)} />
          <Button label="Show all" tip="Show the whole world (0)" icon="fit" onClick={fitAll} />
          <Button
            label="Follow"
            tip="Follow the selected robot (F)"
            icon="follow"
            pressed={following.value}
            disabled={!selected.value}
            onClick={follow}
          />
          <Button label="Save picture" tip="Save a picture of the map (I)" icon="camera" onClick={savePicture} />
        </div>
      </section>
      <section aria-labelledby="layers-title">
        <h2 id="layers-title">Layers</h2>
        <div class="layer-list">
          {LAYERS.map((layer, i) => (
            <Toggle
              key={layer.name}
              label={layer.label}
              tip={`${layer.tip} (${i + 1})`}
              hint={String(i + 1)}
              value={layers.value[layer.name]}
              onChange={(value) => setLayer(layer.name, value)}
            />
          ))}
        </div>
        <MissionLayers />
        <Select
          label="Colour by"
          tip="What the colour of a robot means"
          value={colourBy.value}
          options={[
            { value: 'task', label: 'task' },
            { value: 'robot', label: 'robot' },
          ]}
          onChange={(value) => setColourBy(value === 'robot' ? 'robot' : 'task')}
        />
      </section>
    </aside>
  )
}
