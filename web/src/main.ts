import "./style/tokens.css";
import "./style/ground.css";
import "./style/base.css";
import "./style/buttons.css";
import "./style/parts.css";
import "./style/shell.css";
import { PincerApp } from "./shell/app-shell.ts";

customElements.define("pincer-app", PincerApp);
