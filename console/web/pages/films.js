// The buttons that save a recorded game: as a page in one file, and as films.

import { wordButton } from "/viewer/dom.js";
import { save } from "/viewer/picture.js";
import { answerTo, request, wordsOf } from "./console.js";
import { pathOf } from "./played.js";

const FORMS = {
  html: "a page in one file, which plays the game anywhere",
  gif: "a film for chats",
  mp4: "a film in H.264",
};

/**
 * A button for each form, dimmed if the console lacks the form's libraries. `id` is that of the game; `said` is the
 * element for what happens.
 */
export function filmButtons(id, said) {
  const buttons = Object.entries(FORMS).map(([form, words]) => {
    const button = wordButton(form, form.toUpperCase(), () => saveFilm(id, form, said));
    button.title = `Save the game as ${words}`;
    return button;
  });
  request("/api/films").then((obstacles) => buttons.forEach((button) => dim(button, obstacles[button.dataset.part])), () => {});
  return buttons;
}

function dim(button, obstacle) {
  if (obstacle) {
    button.setAttribute("aria-disabled", "true");
    button.title = obstacle;
  }
}

async function saveFilm(id, form, said) {
  const name = form.toUpperCase();
  said.textContent = `Making the ${name} …`;
  try {
    save(await (await answerTo(`${pathOf(id)}/film.${form}`, {})).blob(), `${id}.${form}`);
    said.textContent = `Saved the game as ${name}.`;
  } catch (error) {
    said.textContent = wordsOf(error);
  }
}
