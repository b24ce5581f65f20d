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
var S,He,Qt,M,Se,se,Ue,te,Be,be,ve,Zt,V=Symbol.for("pv"),ie={},ae=[],en=/^m(i|n|o|s|text|space)$/,xe=Array.isArray,Fe=ae.slice,F=Object.assign;function B(e){e&&e.parentNode&&e.remove()}function ne(e,t,n,o,r){var s={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:V,__v:r||++He,__i:-1,__u:0};return!r&&S.vnode&&S.vnode(s),s}function I(e){return e.children}function oe(e,t){this.props=e,this.context=t,this.__g=0}function q(e,t){if(t==null)return e.__&&q(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:q(e)}function tn(e){var t,n=e.__v,o=n.__e,r=[],s=[],i=e.__P;i&&((t=F({constructor:V},n)).__v=n.__v+1,S.vnode&&S.vnode(t),Ee(i,t,n,e.__n,i.namespaceURI,32&n.__u?[o]:null,r,o||q(n),32&n.__u,s),t.__v=n.__v,t.__.__k[t.__i]=t,Ke(r,t,s),n.__=n.__e=null,t.__e!=o&&je(t))}function je(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),je(e)}function qe(e){(8&e.__g||(e.__g|=8,M.push(e),se++))&&Se==S.debounceRendering||((Se=S.debounceRendering)||queueMicrotask)(Ge)}function Ge(){try{for(var e,t=1;M.length;)M.length>t&&M.sort(Ue),e=M.shift(),t=M.length,8&e.__g&&tn(e)}finally{(se=M.length)&&(Se||queueMicrotask)(Ge)}}function Ve(e,t,n,o,r,s,i,a,f,_,u){var m,h,l,y,x,d,p=o.__k||ae,g=t.length;for(f=nn(n,t,p,f,g),m=0;m<g;m++)(l=n.__k[m])!=null&&(h=~l.__i&&p[l.__i]||ie,l.__i=m,d=Ee(e,l,h,r,s,i,a,f,_,u),y=l.__e,(h.ref!=l.ref||8&h.__u)&&(h.ref&&we(h.ref,null,l,h),l.ref&&u.push(l.ref,l.__c||y,l)),x=x||y,4&l.__u?(f=Je(l,f,e,!h.__v),h.__e&&(h.__e=null)):typeof l.type=="function"&&d!==void 0?f=d:y&&(f=y.nextSibling),l.__u&=-21);return n.__e=x,f}function nn(e,t,n,o,r){var s,i,a,f,_,u,m,h,l,y=n.length,x=y,d=0,p=0,g=e.__k=Array(r);for(s=0;s<r;s++)(i=t[s])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=g[s]=ne(null,i):xe(i)?i=g[s]=ne(I,{children:i}):i.constructor===V&&i.__b?i=g[s]=ne(i.type,i.props,i.key,i.ref,i.__v):g[s]=i,f=s+d,i.__=e,i.__b=e.__b+1,a=null,~(_=i.__i=on(i,n,f,x))&&(x--,(a=n[_])&&(a.__u|=2)),a&&a.__v?(i.__u|=16,_==f-1?d--:_==f+1?d++:_!=f&&(_>f?d--:d++,p=1)):(~_||(r>y?d--:r<y&&d++),typeof i.type!="function"&&(i.__u|=4))):g[s]=null;if(p){for(u=[],m=[],s=0;s<r;s++)if((i=g[s])&&16&i.__u){for(d=0,h=u.length;d<h;)u[l=d+h>>1]<i.__i?d=l+1:h=l;u[d]=i.__i,m[s]=d+1}for(d=u.length;s--;)m[s]&&(m[s]==d?d--:g[s].__u|=4)}if(x)for(s=0;s<y;s++)!(a=n[s])||2&a.__u||(a.__e==o&&(o=q(a)),Te(a,a));return o}function Je(e,t,n,o){var r,s,i,a;if(typeof e.type=="function"){if(e.props.__P)return t;if(r=e.__k)for(s=0;s<r.length;s++)r[s]&&(r[s].__=e,t=Je(r[s],t,n,!1));return t}for(t&&!t.parentNode&&(t=q(e))&&!t.parentNode&&(t=null),i=e.__e,a=t;a&&a.nodeType==8;)a=a.nextSibling;for(i!=a&&(!o&&n.moveBefore&&i.parentNode?n.moveBefore(i,t):n.insertBefore(i,t||null)),t=i;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function on(e,t,n,o){var r,{key:s,type:i}=e,a=t[n],f=a&&!(2&a.__u);if(a===null&&s==null||f&&s==a.key&&i==a.type)return n;if(o>(f?1:0)){for(r=n-1;r>=0;r--)if((a=t[r])&&!(2&a.__u)&&s==a.key&&i==a.type)return r;for(r=n+1;r<t.length;r++)if((a=t[r])&&!(2&a.__u)&&s==a.key&&i==a.type)return r}return-1}function De(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function ee(e,t,n,o,r){var s,i;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||De(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||De(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(i=ve[t]||(ve[t]=rn(t)),(e.__a||(e.__a={}))[t]=be,s=t!=(t=t.replace(Be,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,i,s):e.removeEventListener(t,i,s));else{if(r=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n==null?"":n)}catch(a){}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function rn(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[te]==null)t[te]=be++;else if(t[te]<this.__a[e])return;return n(S.event?S.event(t):t)}}}function Ee(e,t,n,o,r,s,i,a,f,_){var u,m,h,l,y,x,d,p,g,b,v,ye,Le,Z,H,Me,L,U,O=t.type;if(t.constructor!==V)return null;128&n.__u&&(f=32&n.__u,u=n.__c.__z)&&(t.__u|=f,m=s=[],u.nodeType==8?a=re(u,s):s.push(u),a=s[0]||a),(u=S.__b)&&u(t);e:if(typeof O=="function"){h=i.length;try{if(p=t.props,g=(u=O.prototype)&&u.render,b=(u=O.contextType)&&o[u.__c],v=u?b?b.props.value:u.__:o,(l=n.__c)?(t.__c=l,2&l.__g&&(l.__g|=1)):(g?t.__c=l=new O(p,v):(t.__c=l=new oe(p,v),l.constructor=O,l.render=an),b&&b.sub(l),l.state||(l.state={}),l.__n=o,l.__g|=8,l.__h=[],l.__k=[]),g&&(l.__s||(l.__s=l.state),O.getDerivedStateFromProps&&(l.__s==l.state&&(l.__s=F({},l.__s)),F(l.__s,O.getDerivedStateFromProps(p,l.__s)))),y=l.props,x=l.state,l.__v=t,n.__c){if(p!==y&&g&&!O.getDerivedStateFromProps&&l.componentWillReceiveProps&&l.componentWillReceiveProps(p,v),t.__v==n.__v&&!(8&l.__g)||!(4&l.__g)&&l.shouldComponentUpdate&&l.shouldComponentUpdate(p,l.__s,v)===!1){t.__v!=n.__v&&(l.props=p,l.state=l.__s,l.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(R){R&&(R.__=t)}),ae.push.apply(l.__h,l.__k),l.__k=[],l.__h.length&&i.push(l),a=q(n);break e}l.componentWillUpdate&&l.componentWillUpdate(p,l.__s,v),g&&l.componentDidUpdate&&l.__h.push(function(){l.componentDidUpdate(y,x,d)})}else g&&!O.getDerivedStateFromProps&&l.componentWillMount&&l.componentWillMount(),g&&l.componentDidMount&&l.__h.push(l.componentDidMount);l.context=v,l.props=p,l.__P=e,l.__g&=-5,ye=S.__r,Le=g?25:0;do l.__g&=-9,ye&&ye(t),u=l.render(l.props,l.state=l.__s,l.context);while(8&l.__g&&++Le<25);g&&(ae.push.apply(l.__h,l.__k),l.__k=[]),l.state=l.__s,l.getChildContext&&(o=F({},o,l.getChildContext())),g&&n.__c&&l.getSnapshotBeforeUpdate&&(d=l.getSnapshotBeforeUpdate(y,x)),Z=u&&u.type===I&&u.key==null?u.props.children:u,p.__P&&(u=a,r=(e=p.__P).namespaceURI,f=s=null,n.props&&n.props.__P!=e&&(n.__k.some(function(R){R&&Te(R,R)}),n.__k=null),a=n.__k?q(n,0):null),a=Ve(e,xe(Z)?Z:[Z],t,n,o,r,s,i,a,f,_),p.__P&&(t.__e=null,a=u),t.__u&=-161,m&&m.some(B),l.__h.length&&i.push(l),1&l.__g&&(l.__g&=-4)}catch(R){if(i.length=h,t.__v=null,f||s)if(R&&R.then){if(t.__u|=128|f,s){for(~(L=s.indexOf(a||void 0))||(L=s.length);(U=s[L-1])&&U.nodeType==8;)L--;for(;L<s.length;L++)if(U=s[L])if(s[L]=null,H){if(U==Me)break}else{if(U.nodeType!=8)break;U.data.startsWith("$s")&&(Me=re(H=U))}}if(!H){for(;a&&a.nodeType==8&&a.nextSibling;)a=a.nextSibling;H=a}(u=re(H=t.__c.__z||(t.__c.__z=H)))?(t.__e=H,a=u):t.__e=a,a=a&&a.nextSibling}else s&&s.some(B);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),R&&R.then||We(t),S.__e(R,t,n)}}else a=t.__e=sn(n.__e,t,n,o,r,s,i,f,_,e);return(u=S.diffed)&&u(t),a}function re(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function We(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(We))}function Ke(e,t,n){for(var o=0;o<n.length;)we(n[o++],n[o++],n[o++]);S.__c&&S.__c(t,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(s){s.call(r)})}catch(s){S.__e(s,r.__v)}})}function sn(e,t,n,o,r,s,i,a,f,_){var u,m,h,l,y,x,d,p,g=n.props||ie,{props:b,type:v}=t;if(v=="svg"?r="http://www.w3.org/2000/svg":v=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xhtml"),s){for(u=0;u<s.length;u++)if((y=s[u])&&(v?y.localName==v:y.nodeType==3)){e=y,s[u]=null;break}}if(!e){if(p=_.ownerDocument||document,!v)return p.createTextNode(b);e=p.createElementNS(r,v,b.is?b:_),a&&(S.__m&&S.__m(t,s),a=!1),s=null}if(v){if(_=v=="template"&&e.content||e,s=v=="textarea"&&b.defaultValue!=null?null:s&&Fe.call(_.childNodes),!a&&s)for(g={},u=0;u<e.attributes.length;u++)g[(y=e.attributes[u]).name]=y.value;for(u in g)y=g[u],u=="dangerouslySetInnerHTML"?h=y:u=="children"||(u in b)||u=="value"&&("defaultValue"in b)||u=="checked"&&("defaultChecked"in b)||ee(e,u,null,y,r);for(u in b)y=b[u],u=="children"?l=y:u=="dangerouslySetInnerHTML"?m=y:u=="value"?x=y:u=="checked"?d=y:a&&typeof y!="function"||g[u]===y||ee(e,u,y,g[u],r);m?(a||h&&(m.__html==h.__html||m.__html==e.innerHTML)||(e.innerHTML=m.__html),t.__k=[]):(h&&(e.textContent=""),(v=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&en.test(v))&&(r="http://www.w3.org/1999/xhtml"),Ve(_,xe(l)?l:[l],t,n,o,r,s,i,s?s[0]:n.__k&&q(n,0),a,f),s&&s.some(B)),a&&v!="textarea"||(u="value",v=="progress"&&x==null?e.removeAttribute(u):x==null||x===e[u]&&(v!="progress"||x)||ee(e,u,x,g[u],r),u="checked",d!=null&&d!=e[u]&&ee(e,u,d,g[u],r))}else g===b||a&&e.data==b||(e.data=b);return e}function we(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(r){S.__e(r,n)}}function Te(e,t,n){var o,r,s,i;if(S.unmount&&S.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||we(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(a){S.__e(a,t)}o.__P=o.__n=null}if(o=e.__k)for(i=0;i<o.length;i++)o[i]&&Te(o[i],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(r=re(o,s=[]))&&(o==e.__e&&s.some(B),B(r),B(o)),n||B(e.__e),e.__e=e.__c=e.__=null}function an(e,t,n){return this.constructor(e,n)}function ln(e,t){var n,o,r,s;S.__&&S.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=ne(I,{children:[e]}),r=[],s=[],Ee(t,t.__k,o||ie,ie,t.namespaceURI,o?null:t.firstChild?Fe.call(t.childNodes):null,r,o?o.__e:t.firstChild,n,s),Ke(r,t.__k,s),t.__k.props.children=null}function Ye(e,t){e&&typeof e=="object"&&(e.__u|=32),ln(e,t)}S={__e:function(e,t,n,o){for(var r,s,i;t=t.__;)if((r=t.__c)&&!(1&r.__g)){r.__g|=4;try{if((i=(s=r.constructor)&&s.getDerivedStateFromError)&&r.setState(s.getDerivedStateFromError(e)),r.componentDidCatch&&(r.componentDidCatch(e,o||{}),i=1),i&&8&r.__g)return void(r.__g|=2)}catch(a){e=a}}throw se=0,e}},He=0,Qt=function(e){return e!=null&&e.constructor===V},oe.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=F({},this.state)),typeof e=="function"&&(e=e(F({},n),this.props)),e&&(F(n,e),this.__v&&(t&&this.__k.push(t),qe(this)))},oe.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),qe(this))},oe.prototype.render=I,M=[],se=0,Ue=function(e,t){return e.__v.__b-t.__v.__b},te=Symbol(),Be=/(PointerCapture)$|Capture$/i,be=0,ve={},Zt=0;var W,w,Ae,ze,Re=Object.is,le=0,st=[],Ce=[],E=S,{__b:Xe,__r:Qe,diffed:Ze,__c:et,unmount:tt,__:nt}=E;function $e(e,t){E.__h&&E.__h(w,e,le||t),le=0;var n=w.__H||(w.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function C(e){return le=1,un(at,e)}function un(e,t,n){var o=$e(W++,2);if(o.t=e,!o.__c&&(o.__=[n?n(t):at(void 0,t),function(s){var i=(o.__N||o.__)[0],a=o.t(i,s);Re(i,a)||(o.__N=[a,o.__[1]],o.__c.setState({}))}],o.__c=w,!w.__f)){w.__f=!0;var r=w.shouldComponentUpdate;w.shouldComponentUpdate=function(s,i,a){var f=this.__H;if(!f)return!0;var _=!1,u=this.props!=s;if(f.__.some(function(h){h.__N&&(_=!0,Re(h.__[0],h.__N[0])||(u=!0))}),r){var m=r.call(this,s,i,a);return _?m||u:m}return!_||u}}return o.__}function j(e,t){var n=$e(W++,4);!E.__s&&it(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,w.__h.push(n))}function ue(e){return le=5,cn(function(){return{current:e}},[])}function cn(e,t){var n=$e(W++,7);return it(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function pn(){var e;do{for(;e=Ce.shift();)try{J(e)}catch(n){E.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=st.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(J),t.__h.some(Pe),t.__h=[]}catch(n){t.__h=[],E.__e(n,e.__v)}}}while(Ce.length)}E.__b=function(e){w=null,Xe&&Xe(e)},E.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),nt&&nt(e,t)},E.__r=function(e){Qe&&Qe(e),W=0;var t=(w=e.__c).__H;t&&(Ae==w?w.__h=[]:(t.__h.some(J),t.__h.some(Pe),W=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),Ae=w},E.diffed=function(e){Ze&&Ze(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&rt(st.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),Ae=w=null},E.__c=function(e,t){t.some(function(n){try{n.__h.some(J),n.__h=n.__h.filter(function(o){return!o.__||Pe(o)})}catch(o){n.__h=[function(){throw o}]}}),et&&et(e,t)},E.unmount=function(e){tt&&tt(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(r){try{if(r.__P&&r.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}r.__P=n,rt(Ce.push(r))}else J(r)}catch(s){t=s}}),o.__H=void 0,t&&E.__e(t,o.__v))};var ot=typeof requestAnimationFrame=="function";function dn(e){var t,n=function(){clearTimeout(o),ot&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);ot&&(t=requestAnimationFrame(n))}function rt(e){e!=1&&ze==E.requestAnimationFrame||((ze=E.requestAnimationFrame)||dn)(pn)}function J(e){var t=w,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),w=t}function Pe(e){var t=w;e.__c=e.__(),w=t}function it(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!Re(n,e[o])})}function at(e,t){return typeof t=="function"?t(e):t}var K="/v1";var lt="/docs/errors";var ut="/docs/search.json",ct="/docs/search.js";var pt="/client.tgz",ro={deprecatedAt:new Date("2026-11-14T00:00:00Z"),removedAt:new Date("2030-12-05T00:00:00Z"),successor:"listPets",advice:`Use \`GET ${K}/pets\` with the \`status\` filter. To read one pet, use \`after={petId - 1}&limit=1\` and compare the id: if no pet has this id, the response has the next pet.`};var fn=Symbol.for("pv"),_n=0;function c(e,t,n,o,r,s){t||(t={});var i,a,f=t;if("ref"in f&&typeof e!="function")for(a in f={},t)a=="ref"?i=t[a]:f[a]=t[a];var _={type:e,props:f,key:n,ref:i,__k:null,__:null,__b:0,__e:null,__c:null,constructor:fn,__v:--_n,__i:-1,__u:0};return(r||s)&&(_.__source=r,_.__self=s),S.vnode&&S.vnode(_),_}function Y({language:e,code:t}){return c("pre",{class:"code",tabIndex:0,children:c("code",{children:gn(e,t).map(({kind:n,text:o})=>n===void 0?o:c("span",{class:`code-${n}`,children:o}))})})}function ce({what:e="code"}){return c("button",{type:"button",class:"copy secondary small needs-script","aria-live":"polite",children:["Copy",c("span",{class:"hidden",children:[" ",e]})]})}var mn=ke({name:/"(?:[^"\\\n]|\\.)*"(?=\s*:)|\b\w+(?=\()/,comment:/(?:\/\/|#).*/,string:/"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|`[^`]*`?/,number:/(?<![\w.])-?\d+(?:\.\d+)?n?\b/,keyword:new RegExp("\\b(?:const|let|await|new|throw|import|from|null|undefined|true|false|if|for|while|of|with|as|try|except|raise|package|func|var|defer|nil)\\b")}),hn={curl:ke({comment:/(?<=^|\s)#.*/,string:/'[^']*'?|"[^"]*"?/,keyword:/(?<=\s)--?[a-zA-Z][\w-]*/,name:/^curl\b/}),http:ke({name:/^[\w-]+(?=:)/})};function ke(e){let t=Object.entries(e).map(([n,{source:o}])=>`(?<${n}>${o})`);return new RegExp(t.join("|"),"gm")}function gn(e,t){let n=[],o=0;for(let{0:r,index:s,groups:i={}}of t.matchAll(hn[e]??mn)){if(r==="")continue;if(s>o)n.push({text:t.slice(o,s)});n.push({kind:Object.keys(i).find((a)=>i[a]!==void 0),text:r}),o=s+r.length}if(o<t.length)n.push({text:t.slice(o)});return n}function z(e){return`'${e.replaceAll("'","'\\''")}'`}var D=[408,429,502,503,504];var dt=-(2n**63n),ft=2n**63n-1n,_o=`must be an integer from ${dt} to ${ft}`,yn=/^(?:0|-?[1-9][0-9]{0,18})$/,Sn=/^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;function _t(e){return e>=dt&&e<=ft}function vn(e){if(!yn.test(e))return;let t=BigInt(e);return _t(t)?t:void 0}function mt(e){let t=vn(e);if(t!==void 0)return t;let n=Sn.exec(e),[,o,r="",s="",i="0"]=n,a=r+s,f=0;while(a.charCodeAt(f)===48)f++;let _=a.length;while(a.charCodeAt(_-1)===48)_--;let u=a.slice(f,_);if(u==="")return 0n;let m=Number(i)-s.length+(a.length-_);if(m<0||u.length+m>19)return;let h=BigInt(`${o}${u}${"0".repeat(m)}`);return _t(h)?h:void 0}class de extends Error{name="JsonSyntaxError"}var ht=64,bn=1000,Ie=34,xn=92,En=32,wn=57,Ne=/[ \n\r\t]*/y,yt="\\u0000-\\u001F",gt=new RegExp(`[${yt}]`,"g"),Tn=new RegExp(`[\\\\${yt}]`),pe=/-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;function St(e,t=Number.POSITIVE_INFINITY){let n=0,o=-1;function r(d){throw new de(`is not valid JSON: ${d} at character ${n+1}`)}function s(){if(e.charCodeAt(n)>En)return;Ne.lastIndex=n,Ne.test(e),n=Ne.lastIndex}function i(d){if(!e.startsWith(d,n))return!1;return n+=d.length,!0}function a(){let d=n;if(n=e.indexOf('"',d+1),f(n))n=_(n+1);if(n===-1)u(d,e.length,"a string has no end");n++;let p=e.slice(d+1,n-1);if(!Tn.test(p))return p;try{return JSON.parse(e.slice(d,n))}catch{return u(d,n,"a string has an invalid escape")}}function f(d){let p=d;while(e[p-1]==="\\")p--;return(d-p)%2===1}function _(d){for(let p=d;p<e.length;p++){let g=e.charCodeAt(p);if(g===Ie)return p;if(g===xn)p++}return-1}function u(d,p,g){if(gt.lastIndex=d,n=gt.exec(e)?.index??p,n<p)r("a string has an unescaped control character");n=p,r(g)}function m(){if(pe.lastIndex=n,!pe.test(e))r("expected a value");let d=e.slice(n,pe.lastIndex);return n=pe.lastIndex,mt(d)??(d.length>bn?Number.NaN:Number(d))}function h(d){let p=[];if(s(),i("]"))return p;do p.push(y(d));while(i(","));if(!i("]"))r('expected "," or "]"');return p}function l(d){let p=Object.create(null);if(s(),i("}"))return p;do{if(s(),e.charCodeAt(n)!==Ie)r("expected the name of a field in double quotes");let g=n,b=a();if(b in p)n=g,r("a field is repeated");if(s(),!i(":"))r('expected ":"');p[b]=y(d)}while(i(","));if(!i("}"))r('expected "," or "}"');return p}function y(d){if(d>ht)throw new de(`is nested deeper than ${ht} levels`);if(++o>t)throw new de(`has more than ${t} values`);s();let p,g=e.charCodeAt(n);if(g===Ie)p=a();else if(g<=wn)p=m();else if(i("{"))p=l(d+1);else if(i("["))p=h(d+1);else if(i("true"))p=!0;else if(i("false"))p=!1;else if(i("null"))p=null;else r("expected a value");return s(),p}let x=y(1);if(n<e.length)r("expected the end");return x}function fe(e,t){return JSON.stringify(e,(o,r)=>typeof r==="bigint"?JSON.rawJSON(String(r)):r,t)}function A({baseUrl:e,path:t,values:n}){let o=t.replace(/\{(\w+)\}/g,(s,i)=>encodeURIComponent((n.path[i]??"").toWellFormed())),r=new URLSearchParams(n.query);return`${e}${o}${r.size>0?`?${r}`:""}`}function P({values:e,otherBody:t}){return t??(e.body&&fe(e.body))}function N(e){let t=Object.entries(e.values.header);if(P(e)!==void 0)t.push(["Content-Type","application/json"]);return t}function vt(e){return`npm install ${e.slice(0,-K.length)}${pt}`}var xt={id:"curl",title:"curl",request:(e)=>bt(e,"-i --fail-with-body"),pageLoop:(e)=>`url=${z(A(e))}
while [ -n "$url" ]; do
  curl -sS --fail-with-body -D headers.txt -w '\\n' "$url" \\
    -H "Authorization: Bearer $ANIMAL_STORE_API_KEY" || break
  url=$(sed -n 's/^[Ll]ink: <\\([^>]*\\)>; rel="next".*/\\1/p' headers.txt)
done`,retryLoop:(e)=>`send() {
  ${bt(e,"-isS -m 30 -w '\\n%{http_code}'","    ")}
}

for attempt in 0 1 2 3 4 5; do
  # 000 without a complete response
  response=$(send) && code=\${response##*[!0-9]} || code=000
  case $code in 000 | ${D.join(" | ")}) ;; *) break ;; esac
  after=$(printf '%s' "$response" |
    sed -n 's/^[Rr]etry-[Aa]fter: *\\([0-9]*\\).*/\\1/p' | head -n 1)
  [ "\${after:=0}" -le 120 ] && [ $attempt -lt 5 ] || break
  # Retry-After, and a random part of 1, 2, 4, 8, then 16 seconds
  random=$(od -An -N2 -tu2 /dev/urandom)
  sleep "$(awk "BEGIN { print $after + $random / 65536 * 2 ^ $attempt }")"
done
printf '%s\\n' "$response"
[ "\${code%??}" = 2 ]`};function bt(e,t,n="  "){let o=P(e),r=[t,'-H "Authorization: Bearer $ANIMAL_STORE_API_KEY"',...N(e).map(([s,i])=>`-H ${z(`${s}: ${i}`)}`),...o===void 0?[]:[`--data-raw ${z(o)}`]];return[`curl -X ${e.method} ${z(A(e))}`,...r].join(` \\
${n}`)}var X=/^-?(?:0|[1-9][0-9]*)$/,An=/[\u007f-\u009f\u00ad\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;function k(e){return JSON.stringify(e).replace(An,(t)=>`\\u${t.charCodeAt(0).toString(16).padStart(4,"0")}`)}function T(e){return`'${k(e).slice(1,-1).replaceAll("\\\"",'"').replaceAll("'","\\'")}'`}var _e={id:"fetch",title:"JavaScript",request:(e)=>`const response = await ${Et(e)};

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
}`,retryLoop:(e)=>`const send = () => ${Et(e,`  signal: AbortSignal.timeout(30_000),
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
    const retried = [${D.join(", ")}];
    if (!retried.includes(response.status)) wait = Infinity;
  } catch (error) {
    failure = error; // no complete response
  }
  if (wait > 120 || attempt === 5) throw failure;
  // Retry-After, and a random part of 1, 2, 4, 8, then 16 seconds
  const seconds = wait + Math.random() * 2 ** attempt;
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}`};function Et(e,t=""){let n=P(e),o=N(e).map(([r,s])=>`    ${T(r)}: ${T(s)},
`);return`fetch(${T(A(e))}, {
  method: '${e.method}',
  headers: {
    Authorization: \`Bearer \${process.env.ANIMAL_STORE_API_KEY}\`,
${o.join("")}  },
${n===void 0?"":`  body: ${T(n)},
`}${t}})`}var At={id:"go",title:"Go",request:(e)=>`package main

import (
${wt(e,"fmt io log net/http os")})

func main() {
${Tt(e,"http.DefaultClient","log.Fatal(err)")}	if response.StatusCode >= 300 {
		log.Fatalln(response.Status, string(body))
	}
	fmt.Println(response.Status, string(body))
}`,pageLoop:(e)=>`package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"regexp"
)

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
${wt(e,"errors fmt io log math math/rand net/http os strconv time")})

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
${Tt(e,"client","return wait, err",Rn)}	fmt.Println(response.Status, string(body))
	if response.StatusCode < 300 {
		return 0, nil
	}
	switch response.StatusCode {
	case ${D.join(", ")}:
		return wait, errors.New(response.Status)
	}
	return math.Inf(1), errors.New(response.Status)
}`};function wt(e,t){return(P(e)===void 0?t:`${t} strings`).split(" ").sort().map((o)=>`	"${o}"
`).join("")}var Rn=`	wait, _ = strconv.ParseFloat(response.Header.Get("Retry-After"), 64)
`;function Tt(e,t,n,o=""){let r=P(e),s=N(e).map(([i,a])=>`	request.Header.Set(${k(i)}, ${k(a)})
`);return`	request, err := http.NewRequest(
		"${e.method}",
		${k(A(e))},
		${r===void 0?"nil":`strings.NewReader(${Cn(r)})`},
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
${o}
	body, err := io.ReadAll(response.Body)
	if err != nil {
		${n}
	}
`}function Cn(e){let t=k(e);return/[`\r]/.test(e)||/\\u/.test(t)?t:`\`${e}\``}var Ct={id:"python",title:"Python",request:(e)=>`import json
import os
import urllib.error
import urllib.request

${Rt(e)}

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

${Rt(e)}

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
            if error.code not in (${D.join(", ")}):
                raise SystemExit(failure)
    except (OSError, http.client.HTTPException) as error:
        failure = f"No complete response: {error}"
    if wait > 120 or attempt == 5:
        raise SystemExit(failure)
    # Retry-After, and a random part of 1, 2, 4, 8, then 16 seconds
    time.sleep(wait + random.random() * 2**attempt)`};function Rt(e){let t=P(e),n=N(e).map(([o,r])=>`        ${k(o)}: ${k(r)},
`);return`request = urllib.request.Request(
    ${k(A(e))},
    method="${e.method}",
    headers={
        "Authorization": f"Bearer {os.environ['ANIMAL_STORE_API_KEY']}",
${n.join("")}    },
${t===void 0?"":`    data=${T(t)}.encode(),
`})`}var Pt={id:"int64",name:"text",categoryId:"int64",status:"text"};var It={id:"typescript",title:"TypeScript",request:$t,pageLoop:({baseUrl:e})=>`${Nt(e)}

// Requests the next page when the loop gets there.
for await (const pet of store.pets({ pageSize: 100 })) console.log(pet);`,retryLoop:(e)=>`// The client waits, backs off and repeats for you.
${$t(e)}`};function $t(e){let{operation:t,baseUrl:n,values:o,otherBody:r}=e;if(r!==void 0)return`// The client sends only pets. Other JSON needs fetch.
${_e.request(e)}`;return`${Nt(n)}

${Pn[t](o)}`}function Nt(e){return`// ${vt(e)}
import { AnimalStore } from '@animal-store/client';

// The client reads the key from ANIMAL_STORE_API_KEY.
const store = new AnimalStore({ baseUrl: ${T(e)} });`}var Pn={listPets({query:e}){return`const page = await store.listPets(${kt(e,(n,o)=>$n[n](o))});
console.log(page.pets);`},createPet({body:e={},header:t}){let n=kt(e,kn),o=t["Idempotency-Key"],r=o===void 0?"":`, { idempotencyKey: ${T(o)} }`;return`const pet = await store.createPet(${n}${r});
console.log(pet);`},getPet:({path:e})=>`// Uses getPet until its removal, and the list afterwards.
const pet = await store.findPet(${Ot(e.petId??"")});
console.log(pet); // undefined if there is none`},$n={limit:(e)=>X.test(e)?e:T(e),status:T,after:Ot};function Ot(e){return X.test(e)?`${e}n`:T(e)}function kn(e,t){if(typeof t==="string")return T(t);return Pt[e].startsWith("int64")?`${t}n`:`${t}`}function kt(e,t){let n=Object.entries(e).map(([o,r])=>`  ${o}: ${t(o,r)},
`);return n.length===0?"":`{
${n.join("")}}`}var me=[xt,It,_e,Ct,At];class Q extends EventTarget{#t;#e;constructor(e,t){super();this.#e=Lt(()=>e().getItem(t))??"",this.#t=(n)=>Lt(()=>e().setItem(t,n))}get value(){return this.#e}set(e){this.#e=e,this.#t(e),this.dispatchEvent(new Event("change"))}}function he(e,t){let[n,o]=C(t);return j(()=>{let r=()=>o(e.value);e.addEventListener("change",r),r()},[e]),n}function Lt(e){try{return e()}catch{return}}var G=new Q(()=>sessionStorage,"animal-store.key");function Mt(){let e=he(G,"");return c("input",{type:"password",autocomplete:"off","aria-label":"API key",title:"Kept until the tab closes",placeholder:"API key: ask_…",value:e,onInput:({currentTarget:t})=>G.set(In(t.value))})}function In(e){return e.replace(/^\s*Bearer\s|\s/gi,"")}var Nn=["bad","neutral","good","info","warning","bad"];function qt({status:e,title:t}){return c("span",{class:`badge status ${Nn[Math.floor(e/100)]}`,children:t??e})}function Dt({outcome:e,isSending:t}){let{title:n,status:o=0,note:r,body:s,headers:i,errorCode:a}=e;return c("div",{class:"response","aria-busy":t,children:[c("div",{class:"line",children:[c("span",{role:"status",children:t?"Sending…":c(I,{children:[c(qt,{status:o,title:n})," ",c("span",{class:"note",children:r})]})}),s&&c(ce,{what:"response"})]}),a!==void 0&&c("p",{class:"error-code",children:["Error"," ",c("a",{href:`.${lt}#${a}`,children:c("code",{children:a})}),": what it means and what to do"]}),s&&c(Y,{language:"json",code:On(s)}),i!==void 0&&c("details",{children:[c("summary",{children:["Headers ",c("span",{class:"note",children:i.length})]}),c(Y,{language:"http",code:i.map(([f,_])=>`${f}: ${_}`).join(`
`)})]})]})}function On(e){try{return fe(St(e),2)}catch{return e}}var Ln=/#(\w+)>; rel="help"/,Mn=/[?&]after=(-?\d+)[^>]*>; rel="next"/;function Ht(e){let[t,n]=C(e),[o,r]=C(!1),s=ue(void 0);return{outcome:t,isSending:o,sendOrCancel:async(a)=>{if(s.current!==void 0)return s.current.abort();s.current=new AbortController,r(!0);let{signal:f}=s.current;await Hn(a(),f),n(await Ut(a(),f)),r(!1),s.current=void 0}}}async function Ut(e,t){let{method:n}=e,o=N(e);if(G.value!=="")o.push(["Authorization",`Bearer ${G.value}`]);let r=performance.now();if(o.some(([,s])=>/[^\x20-\x7e]/.test(s)))return{title:"Not sent",note:qn};try{let s=await fetch(A(e),{method:n,headers:o,signal:t,body:P(e)??null,cache:"no-store",credentials:"omit"}),i=await Bn(s,r);if(s.ok)Un(n==="POST",i.body);return i}catch(s){if(!t.aborted)return{title:"No response",note:`${Dn} ${s}`};return{title:"Canceled",note:n==="GET"?"":"The service may have processed the request already."}}}var qn="A header may contain only ASCII characters. Check your API key.",Dn="The service cannot be reached from this page. Check your connection and the headers.",ge="nothing",Bt=()=>document.querySelector("[data-place=path]");async function Hn(e,t){let[n="",o]=e.path.split("/{"),r=Bt(),s=ge==="nothing"&&r?.value===r?.defaultValue;if(o===void 0||!s||G.value==="")return;ge="listed",await Ut({...e,path:n,values:{path:{},query:{limit:"1"},header:{}}},t)}function Un(e,t){let[,n]=/"id":(-?\d+)/.exec(t)??[],o=Bt();if(n===void 0||o===null||ge==="added"&&!e)return;ge=e?"added":"listed",o.defaultValue=n,o.dispatchEvent(new Event("input",{bubbles:!0}))}async function Bn(e,t){let{status:n,statusText:o,headers:r}=e,s=await e.text(),i=r.get("Link")??"";return{title:`${n} ${o}`.trim(),status:n,note:`${Math.round(performance.now()-t)} ms${Fn(r)}`,body:s,headers:[...r],nextAfter:Mn.exec(i)?.[1],errorCode:Ln.exec(i)?.[1]}}function Fn(e){let[t,n,o]=["Limit","Remaining","Reset"].map((s)=>e.get(`X-RateLimit-${s}`));if(!o)return"";let r=new Date(Number(o)*1000).toLocaleTimeString("en-GB");return`, ${n} of ${t} requests left until ${r}`}function Gt({id:e,request:t,example:n}){let o=ue(null),[r,s]=C(t),{outcome:i,isSending:a,sendOrCancel:f}=Ht(n),{nextAfter:_}=i;j(()=>{let m=o.current?.closest("form");if(!m)return;let h=()=>s(jt(m,t));m.addEventListener("input",h),m.addEventListener("submit",(l)=>{l.preventDefault(),h(),f(()=>jt(m,t))}),h()},[]);let u=()=>{let m=o.current?.closest("form"),h=m?.querySelector("[name=after]");if(!m||!h)return;h.value=_??"",m.requestSubmit()};return c("div",{class:"panel",ref:o,children:[c(Jt,{codeOf:(m)=>m.request(r)}),c("div",{class:"line send needs-script",children:[c("button",{type:"submit",onClick:(m)=>m.detail>1&&m.preventDefault(),children:[a?"Cancel":"Send",c("span",{class:"hidden",children:[" ",r.operation]})]}),c(Mt,{})]}),c(Dt,{outcome:i,isSending:a}),e===r.operation&&_!==void 0&&c("p",{children:c("button",{type:"button",class:"secondary",onClick:u,children:"Next page"})})]})}function Vt({loop:e,request:t}){let[n,o]=C(t.baseUrl);return j(()=>o(Wt()),[]),c("div",{class:"panel",children:c(Jt,{codeOf:(r)=>r[e]({...t,baseUrl:n})})})}var Ft=new Q(()=>localStorage,"animal-store.language");function Jt({codeOf:e}){let t=he(Ft,""),n=me.find(({id:o})=>o===t)??me[0];return c(I,{children:[c("div",{class:"line needs-script",children:[c("select",{"aria-label":"Language",value:n.id,onChange:({currentTarget:o})=>Ft.set(o.value),children:me.map(({id:o,title:r})=>c("option",{value:o,children:r},o))}),c(ce,{})]}),c(Y,{language:n.id,code:e(n)})]})}function jt(e,t){let n=structuredClone(t.values);for(let{name:r,value:s,inputMode:i,dataset:a}of e.querySelectorAll("[data-place]")){let f=n[a.place]??{},_=s.trim(),u=f===n.body,m=u&&i==="numeric"&&X.test(_),h=u&&a.type==="boolean";if(f[r]=m?BigInt(_):h?_==="true":_,_==="")delete f[r]}let o=e.querySelector("details[open] textarea")?.value.toWellFormed()||void 0;return{...t,baseUrl:Wt(),values:n,otherBody:o}}function Wt(){return location.origin+new URL(`..${K}`,import.meta.url).pathname}function Kt({root:e}){let[t,n]=C(""),[o,r]=C(),[s,i]=C("Loading…");j(Jn,[]);let a=async()=>{try{let u=o??await Vn(e);r(()=>u)}catch{i("Search is not available. Reload the page to try again.")}},f=o?.(t)??[],_=()=>{n(""),document.activeElement.blur()};return c("search",{class:"search needs-script",onKeyDown:(u)=>u.key==="Escape"?_():jn(u),children:[c("input",{id:"search",type:"search","aria-label":"Search the documentation","aria-keyshortcuts":"/",placeholder:"Type / to search",autocomplete:"off",spellcheck:!1,value:t,onInput:({currentTarget:u})=>n(u.value),onFocus:a}),c("div",{class:"search-list",hidden:t==="",children:[f.map(({title:u,place:m,text:h,href:l})=>c("a",{href:e+l,tabIndex:0,onClick:_,children:[c("b",{children:u}),c("span",{class:"note",children:m}),c("span",{class:"search-text note",children:h})]},l)),c("p",{role:"status",class:"note",children:o===void 0?s:Gn(f)})]})]})}function jn(e){let t=[...e.currentTarget.querySelectorAll("input, a")],n=t.indexOf(e.target);if(e.key==="ArrowDown")t[(n+1)%t.length]?.focus();else if(e.key==="ArrowUp")t.at(n-1)?.focus();else if(e.key==="Enter"&&n===0)t[1]?.click();else return;e.preventDefault()}function Gn({length:e}){return e===1?"1 result":`${e||"No"} results`}async function Vn(e){let t=(r)=>new URL(e+r.slice(1),location.href).href,[{newSearch:n},o]=await Promise.all([import(t(ct)),fetch(t(ut))]);return n(await o.json())}function Jn(){document.addEventListener("keydown",(e)=>{let{key:t,ctrlKey:n,metaKey:o,altKey:r,target:s}=e;if(t!=="/"||n||o||r)return;if(s instanceof Element&&s.matches("input, select, textarea"))return;e.preventDefault(),document.getElementById("search")?.focus()})}var Wn={"code-panel":Gt,"loop-panel":Vt,"search-box":Kt};function Yt(){for(let e of document.querySelectorAll("[data-island]")){let{island:t,props:n="{}"}=e.dataset,o=Wn[t];Ye(c(o,{...JSON.parse(n)}),e)}}function zt(e){let t=new Map,n=new IntersectionObserver((o)=>{for(let{target:r,isIntersecting:s}of o){let i=t.get(r);if(i?.removeAttribute("aria-current"),i===void 0||!s)continue;i.setAttribute("aria-current","location"),Kn(e,i)}},{rootMargin:"-20% 0px -80%"});for(let o of e.querySelectorAll("li a")){let r=document.getElementById(o.hash.slice(1));if(r===null||o.pathname!==location.pathname)continue;t.set(r,o),n.observe(r)}}function Kn(e,t){let n=e.getBoundingClientRect(),o=t.getBoundingClientRect().top-(n.top+n.height/2);if(Math.abs(o)>n.height/4)e.scrollTop+=o}function Xt(e){e.addEventListener("click",({target:t})=>{if(t instanceof Element&&t.closest("a")!==null&&e.matches(":popover-open"))e.hidePopover()})}var Yn=2000;Yt();zn();var Oe=document.getElementById("navigation");if(Oe!==null)zt(Oe),Xt(Oe);function zn(){document.addEventListener("click",async({target:e})=>{let t=e instanceof Element?e.closest(".copy"):null,n=t?.closest(":has(pre)")?.querySelector("pre"),o=t?.firstChild;if(!n||!o)return;await Xn(n),o.nodeValue="Copied",setTimeout(()=>{o.nodeValue="Copy"},Yn)})}async function Xn(e){try{await navigator.clipboard.writeText(e.innerText)}catch{getSelection()?.selectAllChildren(e),document.execCommand("copy")}}
