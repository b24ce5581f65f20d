/*!
This file contains:

preact 11.2.0

The MIT License (MIT)

Copyright (c) 2015-present Jason Miller

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
*/
var g,Be,Zt,M,ge,oe,Fe,ee,je,Se,ye,en,G=Symbol.for("pv"),se={},ie=[],tn=/^m(i|n|o|s|text|space)$/,xe=Array.isArray,Ve=ie.slice,F=Object.assign;function B(e){e&&e.parentNode&&e.remove()}function te(e,t,n,r,o){var s={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:G,__v:o||++Be,__i:-1,__u:0};return!o&&g.vnode&&g.vnode(s),s}function I(e){return e.children}function ne(e,t){this.props=e,this.context=t,this.__g=0}function D(e,t){if(t==null)return e.__&&D(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:D(e)}function nn(e){var t,n=e.__v,r=n.__e,o=[],s=[],i=e.__P;i&&((t=F({constructor:G},n)).__v=n.__v+1,g.vnode&&g.vnode(t),be(i,t,n,e.__n,i.namespaceURI,32&n.__u?[r]:null,o,r||D(n),32&n.__u,s),t.__v=n.__v,t.__.__k[t.__i]=t,ze(o,t,s),n.__=n.__e=null,t.__e!=r&&Ge(t))}function Ge(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),Ge(e)}function He(e){(8&e.__g||(e.__g|=8,M.push(e),oe++))&&ge==g.debounceRendering||((ge=g.debounceRendering)||queueMicrotask)(Je)}function Je(){try{for(var e,t=1;M.length;)M.length>t&&M.sort(Fe),e=M.shift(),t=M.length,8&e.__g&&nn(e)}finally{(oe=M.length)&&(ge||queueMicrotask)(Je)}}function We(e,t,n,r,o,s,i,l,d,p,u){var f,_,a,m,E,y,S=r.__k||ie,h=t.length;for(d=rn(n,t,S,d,h),f=0;f<h;f++)(a=n.__k[f])!=null&&(_=~a.__i&&S[a.__i]||se,a.__i=f,y=be(e,a,_,o,s,i,l,d,p,u),m=a.__e,(_.ref!=a.ref||8&_.__u)&&(_.ref&&ve(_.ref,null,a,_),a.ref&&u.push(a.ref,a.__c||m,a)),E=E||m,4&a.__u?(d=Ye(a,d,e,!_.__v),_.__e&&(_.__e=null)):typeof a.type=="function"&&y!==void 0?d=y:m&&(d=m.nextSibling),a.__u&=-21);return n.__e=E,d}function rn(e,t,n,r,o){var s,i,l,d,p,u,f,_,a,m=n.length,E=m,y=0,S=0,h=e.__k=Array(o);for(s=0;s<o;s++)(i=t[s])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=h[s]=te(null,i):xe(i)?i=h[s]=te(I,{children:i}):i.constructor===G&&i.__b?i=h[s]=te(i.type,i.props,i.key,i.ref,i.__v):h[s]=i,d=s+y,i.__=e,i.__b=e.__b+1,l=null,~(p=i.__i=on(i,n,d,E))&&(E--,(l=n[p])&&(l.__u|=2)),l&&l.__v?(i.__u|=16,p==d-1?y--:p==d+1?y++:p!=d&&(p>d?y--:y++,S=1)):(~p||(o>m?y--:o<m&&y++),typeof i.type!="function"&&(i.__u|=4))):h[s]=null;if(S){for(u=[],f=[],s=0;s<o;s++)if((i=h[s])&&16&i.__u){for(y=0,_=u.length;y<_;)u[a=y+_>>1]<i.__i?y=a+1:_=a;u[y]=i.__i,f[s]=y+1}for(y=u.length;s--;)f[s]&&(f[s]==y?y--:h[s].__u|=4)}if(E)for(s=0;s<m;s++)!(l=n[s])||2&l.__u||(l.__e==r&&(r=D(l)),Ee(l,l));return r}function Ye(e,t,n,r){var o,s,i,l;if(typeof e.type=="function"){if(e.props.__P)return t;if(o=e.__k)for(s=0;s<o.length;s++)o[s]&&(o[s].__=e,t=Ye(o[s],t,n,!1));return t}for(t&&!t.parentNode&&(t=D(e))&&!t.parentNode&&(t=null),i=e.__e,l=t;l&&l.nodeType==8;)l=l.nextSibling;for(i!=l&&(!r&&n.moveBefore&&i.parentNode?n.moveBefore(i,t):n.insertBefore(i,t||null)),t=i;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function on(e,t,n,r){var o,{key:s,type:i}=e,l=t[n],d=l&&!(2&l.__u);if(l===null&&s==null||d&&s==l.key&&i==l.type)return n;if(r>(d?1:0)){for(o=n-1;o>=0;o--)if((l=t[o])&&!(2&l.__u)&&s==l.key&&i==l.type)return o;for(o=n+1;o<t.length;o++)if((l=t[o])&&!(2&l.__u)&&s==l.key&&i==l.type)return o}return-1}function Ue(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function Z(e,t,n,r,o){var s,i;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof r=="string"&&(e.style.cssText=r=""),r)for(t in r)n&&t in n||Ue(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||Ue(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof r!="function"&&(r=null),(e.__e||(e.__e={}))[t]=n,n&&r||(i=ye[t]||(ye[t]=sn(t)),(e.__a||(e.__a={}))[t]=Se,s=t!=(t=t.replace(je,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,i,s):e.removeEventListener(t,i,s));else{if(o=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n==null?"":n)}catch(l){}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function sn(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[ee]==null)t[ee]=Se++;else if(t[ee]<this.__a[e])return;return n(g.event?g.event(t):t)}}}function be(e,t,n,r,o,s,i,l,d,p){var u,f,_,a,m,E,y,S,h,w,x,he,De,Q,H,qe,L,U,O=t.type;if(t.constructor!==G)return null;128&n.__u&&(d=32&n.__u,u=n.__c.__z)&&(t.__u|=d,f=s=[],u.nodeType==8?l=re(u,s):s.push(u),l=s[0]||l),(u=g.__b)&&u(t);e:if(typeof O=="function"){_=i.length;try{if(S=t.props,h=(u=O.prototype)&&u.render,w=(u=O.contextType)&&r[u.__c],x=u?w?w.props.value:u.__:r,(a=n.__c)?(t.__c=a,2&a.__g&&(a.__g|=1)):(h?t.__c=a=new O(S,x):(t.__c=a=new ne(S,x),a.constructor=O,a.render=ln),w&&w.sub(a),a.state||(a.state={}),a.__n=r,a.__g|=8,a.__h=[],a.__k=[]),h&&(a.__s||(a.__s=a.state),O.getDerivedStateFromProps&&(a.__s==a.state&&(a.__s=F({},a.__s)),F(a.__s,O.getDerivedStateFromProps(S,a.__s)))),m=a.props,E=a.state,a.__v=t,n.__c){if(S!==m&&h&&!O.getDerivedStateFromProps&&a.componentWillReceiveProps&&a.componentWillReceiveProps(S,x),t.__v==n.__v&&!(8&a.__g)||!(4&a.__g)&&a.shouldComponentUpdate&&a.shouldComponentUpdate(S,a.__s,x)===!1){t.__v!=n.__v&&(a.props=S,a.state=a.__s,a.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(R){R&&(R.__=t)}),ie.push.apply(a.__h,a.__k),a.__k=[],a.__h.length&&i.push(a),l=D(n);break e}a.componentWillUpdate&&a.componentWillUpdate(S,a.__s,x),h&&a.componentDidUpdate&&a.__h.push(function(){a.componentDidUpdate(m,E,y)})}else h&&!O.getDerivedStateFromProps&&a.componentWillMount&&a.componentWillMount(),h&&a.componentDidMount&&a.__h.push(a.componentDidMount);a.context=x,a.props=S,a.__P=e,a.__g&=-5,he=g.__r,De=h?25:0;do a.__g&=-9,he&&he(t),u=a.render(a.props,a.state=a.__s,a.context);while(8&a.__g&&++De<25);h&&(ie.push.apply(a.__h,a.__k),a.__k=[]),a.state=a.__s,a.getChildContext&&(r=F({},r,a.getChildContext())),h&&n.__c&&a.getSnapshotBeforeUpdate&&(y=a.getSnapshotBeforeUpdate(m,E)),Q=u&&u.type===I&&u.key==null?u.props.children:u,S.__P&&(u=l,o=(e=S.__P).namespaceURI,d=s=null,n.props&&n.props.__P!=e&&(n.__k.some(function(R){R&&Ee(R,R)}),n.__k=null),l=n.__k?D(n,0):null),l=We(e,xe(Q)?Q:[Q],t,n,r,o,s,i,l,d,p),S.__P&&(t.__e=null,l=u),t.__u&=-161,f&&f.some(B),a.__h.length&&i.push(a),1&a.__g&&(a.__g&=-4)}catch(R){if(i.length=_,t.__v=null,d||s)if(R&&R.then){if(t.__u|=128|d,s){for(~(L=s.indexOf(l||void 0))||(L=s.length);(U=s[L-1])&&U.nodeType==8;)L--;for(;L<s.length;L++)if(U=s[L])if(s[L]=null,H){if(U==qe)break}else{if(U.nodeType!=8)break;U.data.startsWith("$s")&&(qe=re(H=U))}}if(!H){for(;l&&l.nodeType==8&&l.nextSibling;)l=l.nextSibling;H=l}(u=re(H=t.__c.__z||(t.__c.__z=H)))?(t.__e=H,l=u):t.__e=l,l=l&&l.nextSibling}else s&&s.some(B);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),R&&R.then||Ke(t),g.__e(R,t,n)}}else l=t.__e=an(n.__e,t,n,r,o,s,i,d,p,e);return(u=g.diffed)&&u(t),l}function re(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function Ke(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(Ke))}function ze(e,t,n){for(var r=0;r<n.length;)ve(n[r++],n[r++],n[r++]);g.__c&&g.__c(t,e),e.some(function(o){try{e=o.__h,o.__h=[],e.some(function(s){s.call(o)})}catch(s){g.__e(s,o.__v)}})}function an(e,t,n,r,o,s,i,l,d,p){var u,f,_,a,m,E,y,S,h=n.props||se,{props:w,type:x}=t;if(x=="svg"?o="http://www.w3.org/2000/svg":x=="math"?o="http://www.w3.org/1998/Math/MathML":o||(o="http://www.w3.org/1999/xhtml"),s){for(u=0;u<s.length;u++)if((m=s[u])&&(x?m.localName==x:m.nodeType==3)){e=m,s[u]=null;break}}if(!e){if(S=p.ownerDocument||document,!x)return S.createTextNode(w);e=S.createElementNS(o,x,w.is?w:p),l&&(g.__m&&g.__m(t,s),l=!1),s=null}if(x){if(p=x=="template"&&e.content||e,s=x=="textarea"&&w.defaultValue!=null?null:s&&Ve.call(p.childNodes),!l&&s)for(h={},u=0;u<e.attributes.length;u++)h[(m=e.attributes[u]).name]=m.value;for(u in h)m=h[u],u=="dangerouslySetInnerHTML"?_=m:u=="children"||(u in w)||u=="value"&&("defaultValue"in w)||u=="checked"&&("defaultChecked"in w)||Z(e,u,null,m,o);for(u in w)m=w[u],u=="children"?a=m:u=="dangerouslySetInnerHTML"?f=m:u=="value"?E=m:u=="checked"?y=m:l&&typeof m!="function"||h[u]===m||Z(e,u,m,h[u],o);f?(l||_&&(f.__html==_.__html||f.__html==e.innerHTML)||(e.innerHTML=f.__html),t.__k=[]):(_&&(e.textContent=""),(x=="foreignObject"||o=="http://www.w3.org/1998/Math/MathML"&&tn.test(x))&&(o="http://www.w3.org/1999/xhtml"),We(p,xe(a)?a:[a],t,n,r,o,s,i,s?s[0]:n.__k&&D(n,0),l,d),s&&s.some(B)),l&&x!="textarea"||(u="value",x=="progress"&&E==null?e.removeAttribute(u):E==null||E===e[u]&&(x!="progress"||E)||Z(e,u,E,h[u],o),u="checked",y!=null&&y!=e[u]&&Z(e,u,y,h[u],o))}else h===w||l&&e.data==w||(e.data=w);return e}function ve(e,t,n,r){try{typeof e=="function"?t?t.__x=e(t)||1:r&&(r=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(o){g.__e(o,n)}}function Ee(e,t,n){var r,o,s,i;if(g.unmount&&g.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||ve(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(l){g.__e(l,t)}r.__P=r.__n=null}if(r=e.__k)for(i=0;i<r.length;i++)r[i]&&Ee(r[i],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(o=re(r,s=[]))&&(r==e.__e&&s.some(B),B(o),B(r)),n||B(e.__e),e.__e=e.__c=e.__=null}function ln(e,t,n){return this.constructor(e,n)}function un(e,t){var n,r,o,s;g.__&&g.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=te(I,{children:[e]}),o=[],s=[],be(t,t.__k,r||se,se,t.namespaceURI,r?null:t.firstChild?Ve.call(t.childNodes):null,o,r?r.__e:t.firstChild,n,s),ze(o,t.__k,s),t.__k.props.children=null}function Xe(e,t){e&&typeof e=="object"&&(e.__u|=32),un(e,t)}g={__e:function(e,t,n,r){for(var o,s,i;t=t.__;)if((o=t.__c)&&!(1&o.__g)){o.__g|=4;try{if((i=(s=o.constructor)&&s.getDerivedStateFromError)&&o.setState(s.getDerivedStateFromError(e)),o.componentDidCatch&&(o.componentDidCatch(e,r||{}),i=1),i&&8&o.__g)return void(o.__g|=2)}catch(l){e=l}}throw oe=0,e}},Be=0,Zt=function(e){return e!=null&&e.constructor===G},ne.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=F({},this.state)),typeof e=="function"&&(e=e(F({},n),this.props)),e&&(F(n,e),this.__v&&(t&&this.__k.push(t),He(this)))},ne.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),He(this))},ne.prototype.render=I,M=[],oe=0,Fe=function(e,t){return e.__v.__b-t.__v.__b},ee=Symbol(),je=/(PointerCapture)$|Capture$/i,Se=0,ye={},en=0;var W,v,we,Qe,Te=Object.is,ae=0,at=[],Ae=[],b=g,{__b:Ze,__r:et,diffed:tt,__c:nt,unmount:rt,__:ot}=b;function Ce(e,t){b.__h&&b.__h(v,e,ae||t),ae=0;var n=v.__H||(v.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function C(e){return ae=1,cn(ut,e)}function cn(e,t,n){var r=Ce(W++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):ut(void 0,t),function(s){var i=(r.__N||r.__)[0],l=r.t(i,s);Te(i,l)||(r.__N=[l,r.__[1]],r.__c.setState({}))}],r.__c=v,!v.__f)){v.__f=!0;var o=v.shouldComponentUpdate;v.shouldComponentUpdate=function(s,i,l){var d=this.__H;if(!d)return!0;var p=!1,u=this.props!=s;if(d.__.some(function(_){_.__N&&(p=!0,Te(_.__[0],_.__N[0])||(u=!0))}),o){var f=o.call(this,s,i,l);return p?f||u:f}return!p||u}}return r.__}function j(e,t){var n=Ce(W++,4);!b.__s&&lt(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,v.__h.push(n))}function le(e){return ae=5,dn(function(){return{current:e}},[])}function dn(e,t){var n=Ce(W++,7);return lt(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function pn(){var e;do{for(;e=Ae.shift();)try{J(e)}catch(n){b.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=at.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(J),t.__h.some(Re),t.__h=[]}catch(n){t.__h=[],b.__e(n,e.__v)}}}while(Ae.length)}b.__b=function(e){v=null,Ze&&Ze(e)},b.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),ot&&ot(e,t)},b.__r=function(e){et&&et(e),W=0;var t=(v=e.__c).__H;t&&(we==v?v.__h=[]:(t.__h.some(J),t.__h.some(Re),W=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),we=v},b.diffed=function(e){tt&&tt(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&it(at.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),we=v=null},b.__c=function(e,t){t.some(function(n){try{n.__h.some(J),n.__h=n.__h.filter(function(r){return!r.__||Re(r)})}catch(r){n.__h=[function(){throw r}]}}),nt&&nt(e,t)},b.unmount=function(e){rt&&rt(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(o){try{if(o.__P&&o.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}o.__P=n,it(Ae.push(o))}else J(o)}catch(s){t=s}}),r.__H=void 0,t&&b.__e(t,r.__v))};var st=typeof requestAnimationFrame=="function";function fn(e){var t,n=function(){clearTimeout(r),st&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);st&&(t=requestAnimationFrame(n))}function it(e){e!=1&&Qe==b.requestAnimationFrame||((Qe=b.requestAnimationFrame)||fn)(pn)}function J(e){var t=v,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),v=t}function Re(e){var t=v;e.__c=e.__(),v=t}function lt(e,t){return!e||e.length!=t.length||t.some(function(n,r){return!Te(n,e[r])})}function ut(e,t){return typeof t=="function"?t(e):t}var Y="/v1";var ct="/docs/errors";var dt="/docs/search.json",pt="/docs/search.js";var ft="/client.tgz",lr={deprecatedAt:new Date("2026-11-14T00:00:00Z"),removedAt:new Date("2030-12-05T00:00:00Z"),successor:"listPets",advice:`Use \`GET ${Y}/pets\` with the \`status\` filter. To read one pet, use \`after={petId - 1}&limit=1\` and compare the id: if no pet has this id, the response has the next pet.`};var _n=Symbol.for("pv"),mn=0;function c(e,t,n,r,o,s){t||(t={});var i,l,d=t;if("ref"in d&&typeof e!="function")for(l in d={},t)l=="ref"?i=t[l]:d[l]=t[l];var p={type:e,props:d,key:n,ref:i,__k:null,__:null,__b:0,__e:null,__c:null,constructor:_n,__v:--mn,__i:-1,__u:0};return(o||s)&&(p.__source=o,p.__self=s),g.vnode&&g.vnode(p),p}function K({language:e,code:t}){return c("pre",{class:"code",tabIndex:0,children:c("code",{children:yn(e,t).map(({kind:n,text:r})=>n===void 0?r:c("span",{class:`code-${n}`,children:r}))})})}function ue({what:e="code"}){return c("button",{type:"button",class:"copy secondary small needs-script","aria-live":"polite",children:["Copy",c("span",{class:"hidden",children:[" ",e]})]})}var hn=Pe({name:/"(?:[^"\\\n]|\\.)*"(?=\s*:)|\b\w+(?=\()/,comment:/(?<=^|\s)(?:\/\/|#).*/,string:/"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`[^`]*`?/,number:/(?<![\w.])-?\d+(?:\.\d+)?n?\b/,keyword:new RegExp("\\b(?:const|let|await|new|throw|import|from|null|undefined|true|false|if|for|while|of|with|as|try|except|raise|package|func|var|defer|nil)\\b")}),gn={curl:Pe({comment:/(?<=^|\s)#.*/,string:/'[^']*'?|"[^"]*"?/,keyword:/(?<=\s)--?[a-zA-Z][\w-]*/,name:/^curl\b/}),http:Pe({name:/^[\w-]+(?=:)/})};function Pe(e){let t=Object.entries(e).map(([n,{source:r}])=>`(?<${n}>${r})`);return new RegExp(t.join("|"),"gm")}function yn(e,t){let n=[],r=0;for(let{0:o,index:s,groups:i={}}of t.matchAll(gn[e]??hn)){if(o==="")continue;if(s>r)n.push({text:t.slice(r,s)});n.push({kind:Object.keys(i).find((l)=>i[l]!==void 0),text:o}),r=s+o.length}if(r<t.length)n.push({text:t.slice(r)});return n}function z(e){return`'${e.replaceAll("'","'\\''")}'`}var mt=-(2n**63n),ht=2n**63n-1n,hr=`must be an integer from ${mt} to ${ht}`,Sn=/^(?:0|-?[1-9][0-9]{0,18})$/,xn=/^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;var _t=/[1-9]/;function gt(e){return e>=mt&&e<=ht}function bn(e){if(!Sn.test(e))return;let t=BigInt(e);return gt(t)?t:void 0}function yt(e){let t=bn(e);if(t!==void 0)return t;let n=xn.exec(e),[,r,o="",s="",i="0"]=n,l=o+s,d=l.search(_t);if(d===-1)return 0n;let p=o.length+Number(i);if(p<=d||p-d>19||_t.test(l.slice(p)))return;let u=BigInt(r+l.slice(d,p).padEnd(p-d,"0"));return gt(u)?u:void 0}class de extends Error{name="JsonSyntaxError"}var St=64,vn=1000,$e=34,En=92,wn=32,Tn=57,ke=/[ \n\r\t]*/y,bt="\\u0000-\\u001F",xt=new RegExp(`[${bt}]`,"g"),An=new RegExp(`[\\\\${bt}]`),ce=/-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;function vt(e,t=Number.POSITIVE_INFINITY){return new Et(e,t).parse()}class Et{#t;#o;#e=0;#u=-1;constructor(e,t){this.#t=e,this.#o=t}parse(){let e=this.#i(1);if(this.#e<this.#t.length)this.#r("expected the end");return e}#r(e){throw new de(`is not valid JSON: ${e} at character ${this.#e+1}`)}#s(){if(this.#t.charCodeAt(this.#e)>wn)return;ke.lastIndex=this.#e,ke.test(this.#t),this.#e=ke.lastIndex}#n(e){if(!this.#t.startsWith(e,this.#e))return!1;return this.#e+=e.length,!0}#a(){let e=this.#t,t=this.#e,n=e.indexOf('"',t+1);if(Rn(e,n))n=Cn(e,n+1);if(n===-1)this.#l(t,e.length,"a string has no end");this.#e=n+1;let r=e.slice(t+1,n);if(!An.test(r))return r;try{return JSON.parse(e.slice(t,this.#e))}catch{return this.#l(t,this.#e,"a string has an invalid escape")}}#l(e,t,n){xt.lastIndex=e;let r=xt.exec(this.#t)?.index??t;this.#e=Math.min(r,t),this.#r(r<t?"a string has an unescaped control character":n)}#c(){if(ce.lastIndex=this.#e,!ce.test(this.#t))this.#r("expected a value");let e=this.#t.slice(this.#e,ce.lastIndex);return this.#e=ce.lastIndex,yt(e)??(e.length>vn?Number.NaN:Number(e))}#d(e){let t=[];if(this.#s(),this.#n("]"))return t;do t.push(this.#i(e));while(this.#n(","));if(!this.#n("]"))this.#r('expected "," or "]"');return t}#p(e){let t=Object.create(null);if(this.#s(),this.#n("}"))return t;do{if(this.#s(),this.#t.charCodeAt(this.#e)!==$e)this.#r("expected the name of a field in double quotes");let n=this.#e,r=this.#a();if(r in t)this.#e=n,this.#r("a field is repeated");if(this.#s(),!this.#n(":"))this.#r('expected ":"');t[r]=this.#i(e)}while(this.#n(","));if(!this.#n("}"))this.#r('expected "," or "}"');return t}#i(e){if(e>St)throw new de(`is nested deeper than ${St} levels`);if(++this.#u>this.#o)throw new de(`has more than ${this.#o} values`);this.#s();let t,n=this.#t.charCodeAt(this.#e);if(n===$e)t=this.#a();else if(n<=Tn)t=this.#c();else if(this.#n("{"))t=this.#p(e+1);else if(this.#n("["))t=this.#d(e+1);else if(this.#n("true"))t=!0;else if(this.#n("false"))t=!1;else if(this.#n("null"))t=null;else this.#r("expected a value");return this.#s(),t}}function Rn(e,t){let n=t;while(e[n-1]==="\\")n--;return(t-n)%2===1}function Cn(e,t){for(let n=t;n<e.length;n++){let r=e.charCodeAt(n);if(r===$e)return n;if(r===En)n++}return-1}function pe(e,t){return JSON.stringify(e,(r,o)=>typeof o==="bigint"?JSON.rawJSON(String(o)):o,t)}var q=[408,429,502,503,504];function A({baseUrl:e,path:t,values:n}){let r=t.replace(/\{(\w+)\}/g,(s,i)=>encodeURIComponent((n.path[i]??"").toWellFormed())),o=new URLSearchParams(n.query);return`${e}${r}${o.size>0?`?${o}`:""}`}function P({values:e,otherBody:t}){return t??(e.body&&pe(e.body))}function N(e){let t=Object.entries(e.values.header);if(P(e)!==void 0)t.push(["Content-Type","application/json"]);return t}function wt(e){return`npm install ${e.slice(0,-Y.length)}${ft}`}var X=/^-?(?:0|[1-9][0-9]*)$/,Pn=/[\u007f-\u009f\u00ad\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;function k(e){return JSON.stringify(e).replace(Pn,(t)=>`\\u${t.charCodeAt(0).toString(16).padStart(4,"0")}`)}function T(e){return`'${k(e).slice(1,-1).replaceAll("\\\"",'"').replaceAll("'","\\'")}'`}var At={id:"curl",title:"curl",request:(e)=>Tt(e,"-i --fail-with-body"),pageLoop:(e)=>`url=${z(A(e))}
while [ -n "$url" ]; do
  curl -sS --fail-with-body -D headers.txt -w '\\n' "$url" \\
    -H "Authorization: Bearer $ANIMAL_STORE_API_KEY" || break
  url=$(sed -n 's/^[Ll]ink: <\\([^>]*\\)>; rel="next".*/\\1/p' headers.txt)
done`,retryLoop:(e)=>`send() {
  ${Tt(e,"-isS -m 30 -w '\\n%{http_code}'","    ")}
}

for attempt in 0 1 2 3 4 5; do
  # 000 without a complete response
  response=$(send) && code=\${response##*[!0-9]} || code=000
  case $code in 000 | ${q.join(" | ")}) ;; *) break ;; esac
  after=$(printf '%s' "$response" |
    sed -n 's/^[Rr]etry-[Aa]fter: *\\([0-9]*\\).*/\\1/p' | head -n 1)
  [ "\${after:=0}" -le 120 ] && [ $attempt -lt 5 ] || break
  # Retry-After, and a random part of 1, 2, 4, 8, then 16 seconds
  random=$(od -An -N2 -tu2 /dev/urandom)
  sleep "$(awk "BEGIN { print $after + $random / 65536 * 2 ^ $attempt }")"
done
printf '%s\\n' "$response"
[ "\${code%??}" = 2 ]`};function Tt(e,t,n="  "){let r=P(e),o=[t,'-H "Authorization: Bearer $ANIMAL_STORE_API_KEY"',...N(e).map(([s,i])=>`-H ${z(`${s}: ${i}`)}`),...r===void 0?[]:[`--data-raw ${z(r)}`]];return[`curl -X ${e.method} ${z(A(e))}`,...o].join(` \\
${n}`)}var fe={id:"fetch",title:"JavaScript",request:(e)=>`const response = await ${Rt(e)};

// JSON.parse would round ids beyond 2^53.
const text = await response.text();
console.log(response.status, text);
if (!response.ok) throw new Error(JSON.parse(text).code);`,pageLoop:(e)=>`let url = ${T(A(e))};
while (url !== undefined) {
  const response = await fetch(url, {
    headers: { Authorization: \`Bearer \${process.env.ANIMAL_STORE_API_KEY}\` },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  console.log(text);
  const link = response.headers.get('Link');
  url = /<([^>]*)>; rel="next"/.exec(link)?.[1];
}`,retryLoop:(e)=>`const send = () => ${Rt(e,`  signal: AbortSignal.timeout(30_000),
`)};

for (let attempt = 0; ; attempt++) {
  let failure;
  let wait = 0;
  try {
    const response = await send();
    wait = parseInt(response.headers.get('Retry-After')) || 0;
    const text = await response.text();
    console.log(response.status, text);
    if (response.ok) break;
    failure = new Error(text);
    const retried = [${q.join(", ")}];
    if (!retried.includes(response.status)) wait = Infinity;
  } catch (error) {
    failure = error; // no complete response
  }
  if (wait > 120 || attempt === 5) throw failure;
  // Retry-After, and a random part of 1, 2, 4, 8, then 16 seconds
  const seconds = wait + Math.random() * 2 ** attempt;
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}`};function Rt(e,t=""){let n=P(e),r=N(e).map(([o,s])=>`    ${T(o)}: ${T(s)},
`);return`fetch(${T(A(e))}, {
  method: '${e.method}',
  headers: {
    Authorization: \`Bearer \${process.env.ANIMAL_STORE_API_KEY}\`,
${r.join("")}  },
${n===void 0?"":`  body: ${T(n)},
`}${t}})`}var Pt={id:"go",title:"Go",request:(e)=>`package main

import (
${Ie(e,"fmt io log net/http os")})

func main() {
${Ct(e,"http.DefaultClient","log.Fatal(err)")}	if response.StatusCode >= 300 {
		log.Fatalln(response.Status, string(body))
	}
	fmt.Println(response.Status, string(body))
}`,pageLoop:(e)=>`package main

import (
${Ie(e,"fmt io log net/http os regexp")})

var next = regexp.MustCompile(\`<([^>]*)>; rel="next"\`)

func main() {
	url := ${k(A(e))}
	for url != "" {
		request, err := http.NewRequest("GET", url, nil)
		if err != nil {
			log.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+os.Getenv("ANIMAL_STORE_API_KEY"))
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			log.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil {
			log.Fatal(err)
		}
		if response.StatusCode >= 300 {
			log.Fatalln(response.Status, string(body))
		}
		fmt.Println(string(body))

		url = ""
		if link := next.FindStringSubmatch(response.Header.Get("Link")); link != nil {
			url = link[1]
		}
	}
}`,retryLoop:(e)=>`package main

import (
${Ie(e,"errors fmt io log math math/rand net/http os strconv time")})

var client = http.Client{Timeout: 30 * time.Second}

func main() {
	for attempt := 0; ; attempt++ {
		wait, err := send()
		if err == nil {
			return
		}
		if wait > 120 || attempt == 5 {
			log.Fatal(err)
		}
		// Retry-After, and a random part of 1, 2, 4, 8, then 16 seconds
		wait += rand.Float64() * math.Pow(2, float64(attempt))
		time.Sleep(time.Duration(wait * float64(time.Second)))
	}
}

// Returns an error with the seconds to wait before the next attempt.
func send() (wait float64, err error) {
${Ct(e,"client","return wait, err",kn)}	fmt.Println(response.Status, string(body))
	if response.StatusCode < 300 {
		return 0, nil
	}
	switch response.StatusCode {
	case ${q.join(", ")}:
		return wait, errors.New(response.Status)
	}
	return math.Inf(1), errors.New(response.Status)
}`};function Ie(e,t){return(P(e)===void 0?t:`${t} strings`).split(" ").sort().map((r)=>`	"${r}"
`).join("")}var kn=`	wait, _ = strconv.ParseFloat(response.Header.Get("Retry-After"), 64)
`;function Ct(e,t,n,r=""){let o=P(e),s=N(e).map(([i,l])=>`	request.Header.Set(${k(i)}, ${k(l)})
`);return`	request, err := http.NewRequest(
		"${e.method}",
		${k(A(e))},
		${o===void 0?"nil":`strings.NewReader(${$n(o)})`},
	)
	if err != nil {
		${n}
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("ANIMAL_STORE_API_KEY"))
${s.join("")}
	response, err := ${t}.Do(request)
	if err != nil {
		${n}
	}
	defer response.Body.Close()
${r}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		${n}
	}
`}function $n(e){let t=k(e);return/[`\r]/.test(e)||/\\u/.test(t)?t:`\`${e}\``}var $t={id:"python",title:"Python",request:(e)=>`import json
import os
import urllib.error
import urllib.request

${kt(e)}

try:
    with urllib.request.urlopen(request) as response:
        print(response.status, json.load(response))
except urllib.error.HTTPError as error:
    problem = json.load(error)
    raise SystemExit(f"{error.code} {problem['code']}: {problem['message']}")`,pageLoop:(e)=>`import json
import os
import re
import urllib.error
import urllib.request

url = ${k(A(e))}
headers = {"Authorization": f"Bearer {os.environ['ANIMAL_STORE_API_KEY']}"}
while url:
    request = urllib.request.Request(url, headers=headers)
    try:
        with urllib.request.urlopen(request) as response:
            for pet in json.load(response):
                print(pet)
            link = response.headers.get("Link", "")
    except urllib.error.HTTPError as error:
        raise SystemExit(f"{error.code} {error.read().decode()}")
    following = re.search('<([^>]*)>; rel="next"', link)
    url = following and following[1]`,retryLoop:(e)=>`import http.client
import json
import os
import random
import time
import urllib.error
import urllib.request

${kt(e)}

for attempt in range(6):
    wait = 0
    try:
        try:
            with urllib.request.urlopen(request, timeout=30) as response:
                print(response.status, json.load(response))
                break
        except urllib.error.HTTPError as error:
            after = error.headers.get("Retry-After", "")
            wait = int(after) if after.isdecimal() else 0
            failure = f"{error.code} {error.read().decode(errors='replace')}"
            if error.code not in (${q.join(", ")}):
                raise SystemExit(failure)
    except (OSError, http.client.HTTPException) as error:
        failure = f"No complete response: {error}"
    if wait > 120 or attempt == 5:
        raise SystemExit(failure)
    # Retry-After, and a random part of 1, 2, 4, 8, then 16 seconds
    time.sleep(wait + random.random() * 2**attempt)`};function kt(e){let t=P(e),n=N(e).map(([r,o])=>`        ${k(r)}: ${k(o)},
`);return`request = urllib.request.Request(
    ${k(A(e))},
    method="${e.method}",
    headers={
        "Authorization": f"Bearer {os.environ['ANIMAL_STORE_API_KEY']}",
${n.join("")}    },
${t===void 0?"":`    data=${T(t)}.encode(),
`})`}var It={id:"int64",name:"text",categoryId:"int64",status:"text"};var Lt={id:"typescript",title:"TypeScript",request:Nt,pageLoop:({baseUrl:e})=>`${Mt(e)}

// Requests the next page when the loop gets there.
for await (const pet of store.pets({ pageSize: 100 })) console.log(pet);`,retryLoop:(e)=>`// The client waits, backs off and repeats for you.
${Nt(e)}`};function Nt(e){let{operation:t,baseUrl:n,values:r,otherBody:o}=e;if(o!==void 0)return`// The client sends only pets. Other JSON needs fetch.
${fe.request(e)}`;return`${Mt(n)}

${In[t](r)}`}function Mt(e){return`// ${wt(e)}
import { AnimalStore } from '@animal-store/client';

// The client reads the key from ANIMAL_STORE_API_KEY.
const store = new AnimalStore({ baseUrl: ${T(e)} });`}var In={listPets({query:e}){return`const page = await store.listPets(${Ot(e,(n,r)=>Nn[n](r))});
console.log(page.pets);`},createPet({body:e={},header:t}){let n=Ot(e,On),r=t["Idempotency-Key"],o=r===void 0?"":`, { idempotencyKey: ${T(r)} }`;return`const pet = await store.createPet(${n}${o});
console.log(pet);`},getPet:({path:e})=>`// Uses getPet until its removal, and the list afterwards.
const pet = await store.findPet(${Dt(e.petId??"")});
console.log(pet); // undefined if there is none`},Nn={limit:(e)=>X.test(e)?e:T(e),status:T,after:Dt};function Dt(e){return X.test(e)?`${e}n`:T(e)}function On(e,t){if(typeof t==="string")return T(t);return It[e].startsWith("int64")?`${t}n`:`${t}`}function Ot(e,t){let n=Object.entries(e).map(([r,o])=>`  ${r}: ${t(r,o)},
`);return n.length===0?"":`{
${n.join("")}}`}var _e=[At,Lt,fe,$t,Pt];var Ln=["bad","neutral","good","info","warning","bad"];function qt({status:e,title:t}){return c("span",{class:`badge status ${Ln[Math.floor(e/100)]}`,children:t??e})}function Ht({outcome:e,isSending:t}){let{title:n,status:r=0,note:o,body:s,headers:i,errorCode:l}=e;return c("div",{class:"response","aria-busy":t,children:[c("div",{class:"line",children:[c("span",{role:"status",children:t?"Sending…":c(I,{children:[c(qt,{status:r,title:n})," ",c("span",{class:"note",children:o})]})}),s&&c(ue,{what:"response"})]}),l!==void 0&&c("p",{class:"error-code",children:["Error"," ",c("a",{href:`.${ct}#${l}`,children:c("code",{children:l})}),": what it means and what to do"]}),s&&c(K,{language:"json",code:Mn(s)}),i!==void 0&&c("details",{children:[c("summary",{children:["Headers ",c("span",{class:"note",children:i.length})]}),c(K,{language:"http",code:i.map(([d,p])=>`${d}: ${p}`).join(`
`)})]})]})}function Mn(e){try{return pe(vt(e),2)}catch{return e}}class Ne extends EventTarget{#t;#o;constructor(e,t){super();this.#o=Ut(()=>e().getItem(t))??"",this.#t=(n)=>Ut(()=>e().setItem(t,n))}get value(){return this.#o}set(e){this.#o=e,this.#t(e),this.dispatchEvent(new Event("change"))}}var V=new Ne(()=>sessionStorage,"animal-store.key"),Oe=new Ne(()=>localStorage,"animal-store.language");function Le(e,t){let[n,r]=C(t);return j(()=>{let o=()=>r(e.value);e.addEventListener("change",o),o()},[e]),n}function Ut(e){try{return e()}catch{return}}var Dn=/#(\w+)>; rel="help"/,qn=/[?&]after=(-?\d+)[^>]*>; rel="next"/;function Bt(e){let[t,n]=C(e),[r,o]=C(!1),s=le(void 0);return{outcome:t,isSending:r,sendOrCancel:async(l)=>{if(s.current!==void 0)return s.current.abort();s.current=new AbortController,o(!0);let{signal:d}=s.current;await Bn(l(),d),n(await Ft(l(),d)),o(!1),s.current=void 0}}}async function Ft(e,t){let{method:n}=e,r=N(e);if(V.value!=="")r.push(["Authorization",`Bearer ${V.value}`]);let o=performance.now();if(r.some(([,s])=>/[^\x20-\x7e]/.test(s)))return{title:"Not sent",note:Hn};try{let s=await fetch(A(e),{method:n,headers:r,signal:t,body:P(e)??null,cache:"no-store",credentials:"omit"}),i=await jn(s,o);if(s.ok)Fn(n==="POST",i.body);return i}catch(s){if(!t.aborted)return{title:"No response",note:`${Un} ${s}`};return{title:"Canceled",note:n==="GET"?"":"The service may have processed the request already."}}}var Hn="A header may contain only ASCII characters. Check your API key.",Un="The service cannot be reached from this page. Check your connection and the headers.",me="nothing",jt=()=>document.querySelector("[data-place=path]");async function Bn(e,t){let[n="",r]=e.path.split("/{"),o=jt(),s=me==="nothing"&&o?.value===o?.defaultValue;if(r===void 0||!s||V.value==="")return;me="listed",await Ft({...e,path:n,values:{path:{},query:{limit:"1"},header:{}}},t)}function Fn(e,t){let[,n]=/"id":(-?\d+)/.exec(t)??[],r=jt();if(n===void 0||r===null||me==="added"&&!e)return;me=e?"added":"listed",r.defaultValue=n,r.dispatchEvent(new Event("input",{bubbles:!0}))}async function jn(e,t){let{status:n,statusText:r,headers:o}=e,s=await e.text(),i=o.get("Link")??"";return{title:`${n} ${r}`.trim(),status:n,note:`${Math.round(performance.now()-t)} ms${Vn(o)}`,body:s,headers:[...o],nextAfter:qn.exec(i)?.[1],errorCode:Dn.exec(i)?.[1]}}function Vn(e){let[t,n,r]=["Limit","Remaining","Reset"].map((s)=>e.get(`X-RateLimit-${s}`));if(!r)return"";let o=new Date(Number(r)*1000).toLocaleTimeString("en-GB");return`, ${n} of ${t} requests left until ${o}`}function Gt({id:e,request:t,example:n}){let r=le(null),[o,s]=C(t),{outcome:i,isSending:l,sendOrCancel:d}=Bt(n),{nextAfter:p}=i;j(()=>{let f=r.current?.closest("form");if(!f)return;let _=()=>s(Vt(f,t));f.addEventListener("input",_),f.addEventListener("submit",(a)=>{a.preventDefault(),_(),d(()=>Vt(f,t))}),_()},[]);let u=()=>{let f=r.current?.closest("form"),_=f?.querySelector("[name=after]");if(!f||!_)return;_.value=p??"",f.requestSubmit()};return c("div",{class:"panel",ref:r,children:[c(Wt,{codeOf:(f)=>f.request(o)}),c("div",{class:"line send needs-script",children:[c("button",{type:"submit",onClick:(f)=>f.detail>1&&f.preventDefault(),children:[l?"Cancel":"Send",c("span",{class:"hidden",children:[" ",o.operation]})]}),c(Gn,{})]}),c(Ht,{outcome:i,isSending:l}),e===o.operation&&p!==void 0&&c("p",{children:c("button",{type:"button",class:"secondary",onClick:u,children:"Next page"})})]})}function Jt({loop:e,request:t}){let[n,r]=C(t.baseUrl);return j(()=>r(Yt()),[]),c("div",{class:"panel",children:c(Wt,{codeOf:(o)=>o[e]({...t,baseUrl:n})})})}function Gn(){let e=Le(V,"");return c("input",{type:"password",autocomplete:"off","aria-label":"API key",title:"Kept until the tab closes",placeholder:"API key: ask_…",value:e,onInput:({currentTarget:t})=>V.set(Jn(t.value))})}function Jn(e){return e.replace(/^\s*Bearer\s|\s/gi,"")}function Wt({codeOf:e}){let t=Le(Oe,""),n=_e.find(({id:r})=>r===t)??_e[0];return c(I,{children:[c("div",{class:"line needs-script",children:[c("select",{"aria-label":"Language",value:n.id,onChange:({currentTarget:r})=>Oe.set(r.value),children:_e.map(({id:r,title:o})=>c("option",{value:r,children:o},r))}),c(ue,{})]}),c(K,{language:n.id,code:e(n)})]})}function Vt(e,t){let n=structuredClone(t.values);for(let{name:o,value:s,inputMode:i,dataset:l}of e.querySelectorAll("[data-place]")){let d=n[l.place]??{},p=s.trim(),u=d===n.body,f=u&&i==="numeric"&&X.test(p),_=u&&l.type==="boolean";if(d[o]=f?BigInt(p):_?p==="true":p,p==="")delete d[o]}let r=e.querySelector("details[open] textarea")?.value.toWellFormed()||void 0;return{...t,baseUrl:Yt(),values:n,otherBody:r}}function Yt(){return location.origin+new URL(`..${Y}`,import.meta.url).pathname}function Kt({root:e}){let[t,n]=C(""),[r,o]=C(),[s,i]=C("Loading…");j(zn,[]);let l=async()=>{try{let u=r??await Kn(e);o(()=>u)}catch{i("Search is not available. Reload the page to try again.")}},d=r?.(t)??[],p=()=>{n(""),document.activeElement.blur()};return c("search",{class:"search needs-script",onKeyDown:(u)=>u.key==="Escape"?p():Wn(u),children:[c("input",{id:"search",type:"search","aria-label":"Search the documentation","aria-keyshortcuts":"/",placeholder:"Search",autocomplete:"off",spellcheck:!1,value:t,onInput:({currentTarget:u})=>n(u.value),onFocus:l}),c("div",{class:"search-list",hidden:t==="",children:[d.map(({title:u,place:f,text:_,href:a})=>c("a",{href:e+a,tabIndex:0,onClick:p,children:[c("b",{children:u}),c("span",{class:"note",children:f}),c("span",{class:"search-text note",children:_})]},a)),c("p",{role:"status",class:"note",children:r===void 0?s:Yn(d)})]})]})}function Wn(e){let t=[...e.currentTarget.querySelectorAll("input, a")],n=t.indexOf(e.target);if(e.key==="ArrowDown")t[(n+1)%t.length]?.focus();else if(e.key==="ArrowUp")t.at(n-1)?.focus();else if(e.key==="Enter"&&n===0)t[1]?.click();else return;e.preventDefault()}function Yn({length:e}){return e===1?"1 result":`${e||"No"} results`}async function Kn(e){let t=(o)=>new URL(e+o.slice(1),location.href).href,[{newSearch:n},r]=await Promise.all([import(t(pt)),fetch(t(dt))]);return n(await r.json())}function zn(){let e=document.getElementById("search");if(matchMedia("(hover: hover)").matches)e.placeholder="Type / to search";document.addEventListener("keydown",(t)=>{let{key:n,ctrlKey:r,metaKey:o,altKey:s,target:i}=t;if(n!=="/"||r||o||s)return;if(i instanceof Element&&i.matches("input, select, textarea"))return;t.preventDefault(),e.focus()})}var Xn={"code-panel":Gt,"loop-panel":Jt,"search-box":Kt};function zt(){for(let e of document.querySelectorAll("[data-island]")){let{island:t,props:n="{}"}=e.dataset,r=Xn[t];Xe(c(r,{...JSON.parse(n)}),e)}}function Xt(e){let t=new Map,n=new IntersectionObserver((r)=>{for(let{target:o,isIntersecting:s}of r){let i=t.get(o);if(i?.removeAttribute("aria-current"),i===void 0||!s)continue;i.setAttribute("aria-current","location"),Qn(e,i)}},{rootMargin:"-20% 0px -80%"});for(let r of e.querySelectorAll("li a")){let o=document.getElementById(r.hash.slice(1));if(o===null||r.pathname!==location.pathname)continue;t.set(o,r),n.observe(o)}}function Qn(e,t){let n=e.getBoundingClientRect(),r=t.getBoundingClientRect().top-(n.top+n.height/2);if(Math.abs(r)>n.height/4)e.scrollTop+=r}function Qt(e){e.addEventListener("click",({target:t})=>{if(t instanceof Element&&t.closest("a")!==null&&e.matches(":popover-open"))e.hidePopover()})}var Zn=2000;zt();er();var Me=document.getElementById("navigation");if(Me!==null)Xt(Me),Qt(Me);function er(){document.addEventListener("click",async({target:e})=>{let t=e instanceof Element?e.closest(".copy"):null,n=t?.closest(":has(pre)")?.querySelector("pre"),r=t?.firstChild;if(!n||!r)return;await tr(n),r.nodeValue="Copied",setTimeout(()=>{r.nodeValue="Copy"},Zn)})}async function tr(e){try{await navigator.clipboard.writeText(e.innerText)}catch{getSelection()?.selectAllChildren(e),document.execCommand("copy")}}
