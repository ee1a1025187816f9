// The map with its controls.

import { useComputed, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { detail, lanes } from '../net/store'
import { Button } from '../ui/button'
import { selected } from '../ui/selection'
import { drive, driven, release } from './hand'
import { robotWords } from './hits'
import { LaneMap } from './lane-map'
import { LegendView } from './legend-view'
import { Minimap } from './minimap'
import { Dock } from './palette'
import { currentTool } from './tools'

export function MapArea() {
  const count = useComputed(() => lanes.value.filter((lane) => lane !== undefined).length)
  return (
    <section class="map-area" aria-label="Map">
      <Dock />
      <div class="map-main">
        <ToolOptions />
        <div class={`lanes ${count.value > 1 ? 'two' : ''}`}>
          {count.value === 0 ? (
            <p class="waiting">Waiting for the run…</p>
          ) : (
            lanes.value.map((lane, i) => lane && <LaneMap key={i} lane={i} />)
          )}
          <Minimap />
          <DriveBanner />
        </div>
        <LegendView />
      </div>
      <Spoken />
    </section>
  )
}

function ToolOptions() {
  const tool = currentTool()
  const Options = tool.Options
  return (
    <section class="tool-options" aria-label="Tool options">
      <p class="hint" role="status">
        <strong>{tool.label}:</strong> {tool.hint()}
      </p>
      {Options && (
        <div class="tool-form">
          <Options />
        </div>
      )}
    </section>
  )
}

function DriveBanner() {
  const at = driven.value
  if (!at) return null
  const { speed, turn } = drive.value
  const way = speed > 0 ? 'forward' : speed < 0 ? 'backward' : turn === 0 ? 'standing' : 'turning'
  const side = turn > 0 ? ' left' : turn < 0 ? ' right' : ''
  return (
    <div class="drive-banner" role="alert">
      <span>
        You drive <strong>{at.name}</strong> ({way}
        {side}) with arrow keys or WASD.
      </span>
      <Button label="Release (T or Esc)" tip="Return control to the software of the robot" onClick={release} />
    </div>
  )
}

/** The state of the selected robot for screen readers, no more often than one can listen to. */
function Spoken() {
  const text = useSignal('')
  useEffect(() => {
    const say = () => {
      const at = selected.peek()
      const name = at && lanes.peek()[at.lane]?.scene.robots[at.robot]?.name
      const told = detail.peek()
      const state = told && at && told.robot === at.robot && told.lane === at.lane ? told.state : ''
      const next = at && name ? `${name}: ${state ? `${state}. ` : ''}${robotWords(at.lane, at.robot)}` : ''
      if (next !== text.peek()) text.value = next
    }
    const timer = setInterval(say, 1500)
    const stop = selected.subscribe(() => setTimeout(say, 150))
    return () => {
      clearInterval(timer)
      stop()
    }
  }, [])
  return (
    <p class="hidden" aria-live="polite" data-spoken="">
      {text.value || 'No robot is selected.'}
    </p>
  )
}
